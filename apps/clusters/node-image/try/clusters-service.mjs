/** The two endpoints of the clusters service for nodes, with one cluster in memory. */
import { createServer } from 'node:http';
import { join } from 'node:path';

import { Authority, serviceAccountKeys } from './authority.mjs';

const CLUSTER = {
  id: '0c1c6f3e-4bb1-4c43-a2bb-0a5d7c9c9a10',
  name: 'try',
  domain: 'cluster.local',
  pod_cidr: '10.100.0.0/16',
  service_cidr: '10.254.0.0/16',
  dns_ip: '10.254.0.10',
  kubernetes_ip: '10.254.0.1',
};

export class ClustersService {
  /** Answers of `report`. */
  orders = { generation: 0, interval: 10, etcd_remove: [] };
  /** The last report of each node, by its name. */
  reports = new Map();
  #nodes = new Map();
  #masters = [];

  /** @param folder for certificates; `onReport(name, report)` gets each report */
  constructor(folder, onReport) {
    this.onReport = onReport;
    this.folder = folder;
    this.serviceAccount = serviceAccountKeys(folder);
    this.rotate();
    this.server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Replaces the authorities; nodes then request new certificates. */
  rotate() {
    this.orders.generation++;
    const at = (name) => join(this.folder, `${name}-${Date.now()}`);
    this.ca = new Authority(at('ca'), 'kubernetes');
    this.etcdCa = new Authority(at('etcd'), 'etcd');
    this.frontProxyCa = new Authority(at('front-proxy'), 'front-proxy');
  }

  /** @returns the port */
  async listen() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    return this.server.address().port;
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }

  addNode(node) {
    this.#nodes.set(node.id, node);
  }

  /** @returns PEM of an administrator of the cluster: `{ ca, certificate, key }` */
  administrator() {
    const [certificate, key] = this.ca.issue('/O=system:masters/CN=admin');
    return { ca: this.ca.certificate, certificate, key };
  }

  async #answer(request, response) {
    const [, id, action] = /^\/v1\/nodes\/([^/]+)\/(bootstrap|report)$/.exec(request.url) ?? [];
    const node = this.#nodes.get(id);
    const send = (status, body, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    if (!node || request.headers.authorization !== `Bearer ${node.token}`)
      return send(403, {
        errors: [{ status: 403, title: 'Forbidden', detail: 'The token is unknown.' }],
      });
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body = JSON.parse(text);
    if (action === 'report') {
      this.reports.set(node.name, body);
      if (body.etcd && !this.#masters.some(({ name }) => name === node.name))
        this.#masters.push(node);
      this.onReport(node.name, body);
      return send(200, this.orders);
    }
    node.nonce ??= body.nonce;
    if (node.nonce !== body.nonce)
      return send(403, {
        errors: [{ status: 403, title: 'Forbidden', detail: 'The token was used.' }],
      });
    node.ip = body.addresses[0];
    const others = this.#masters.filter(({ name }) => name !== node.name);
    if (node.role === 'master' && !node.founder && others.length === 0)
      return send(
        409,
        { errors: [{ status: 409, title: 'Conflict', detail: 'No etcd is up yet.' }] },
        { 'retry-after': '3' },
      );
    node.onAddress?.(node.ip);
    return send(200, this.#document(node, body.addresses, others));
  }

  #document(node, addresses, others) {
    const isMaster = node.role === 'master';
    return {
      cluster: CLUSTER,
      node: {
        id: node.id,
        name: node.name,
        role: node.role,
        ip: node.ip,
        labels: { 'magnum.openstack.org/role': node.role },
        taints: [],
      },
      generation: this.orders.generation,
      pki: this.#pki(node, addresses),
      etcd: isMaster
        ? { founder: node.founder === true, members: others.map(({ name, ip }) => ({ name, ip })) }
        : null,
      cloud: null,
      proxy: { http: null, https: null, no: null },
      registries: { insecure: [] },
      addons: { coredns: true, metrics_server: true, cloud_provider: true, network_policy: false },
    };
  }

  #pki({ name, role }, addresses) {
    const own = [`DNS:${name}`, ...addresses.map((address) => `IP:${address}`)];
    const all = { 'ca.crt': this.ca.certificate };
    const add = (file, authority, subject, names) => {
      [all[`${file}.crt`], all[`${file}.key`]] = authority.issue(subject, names);
    };
    add('kubelet', this.ca, `/O=system:nodes/CN=system:node:${name}`);
    add('kubelet-server', this.ca, `/O=system:nodes/CN=system:node:${name}`, own);
    add('kube-proxy', this.ca, '/CN=system:kube-proxy');
    if (role !== 'master') return all;
    const local = ['DNS:localhost', 'IP:127.0.0.1', ...own];
    const service = ['', '.default', '.default.svc', '.default.svc.cluster.local'].map(
      (tail) => `DNS:kubernetes${tail}`,
    );
    add('apiserver', this.ca, '/CN=kube-apiserver', [
      ...service,
      `IP:${CLUSTER.kubernetes_ip}`,
      ...local,
    ]);
    add('apiserver-kubelet-client', this.ca, '/O=system:masters/CN=kube-apiserver-kubelet-client');
    add('front-proxy-client', this.frontProxyCa, '/CN=front-proxy-client');
    add('controller-manager', this.ca, '/CN=system:kube-controller-manager');
    add('scheduler', this.ca, '/CN=system:kube-scheduler');
    add('admin', this.ca, '/O=system:masters/CN=admin');
    add(
      'cloud-controller-manager',
      this.ca,
      '/O=system:masters/CN=system:cloud-controller-manager',
    );
    add('etcd-server', this.etcdCa, `/CN=${name}`, local);
    add('etcd-peer', this.etcdCa, `/CN=${name}`, local);
    add('etcd-client', this.etcdCa, '/CN=kube-apiserver-etcd-client');
    all['ca.key'] = this.ca.key;
    all['front-proxy-ca.crt'] = this.frontProxyCa.certificate;
    all['etcd-ca.crt'] = this.etcdCa.certificate;
    [all['service-account.key'], all['service-account.pub']] = this.serviceAccount;
    return all;
  }
}
