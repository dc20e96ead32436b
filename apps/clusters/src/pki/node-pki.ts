/**
 * Certificates and keys of a node, by file name. Public sources: Kubernetes, "PKI certificates and
 * requirements"; etcd, "Transport security model".
 */
import { isIP } from 'node:net';
import type { Authorities } from './authority.js';
import type { CertifiedKey } from './certificates.js';
import { issue, type Leaf } from './issue.js';
import { publicKeyOf } from './keys.js';

export interface PkiNode {
  readonly name: string;
  readonly role: 'master' | 'worker';
  /** The node's own on the cluster's network first. */
  readonly addresses: readonly string[];
}

export interface PkiCluster {
  /** The API's addresses and names, internal and external. */
  readonly apiAddresses: readonly string[];
  /** The first address of the service range. */
  readonly kubernetesServiceIp: string;
  /** `cluster.local` */
  readonly domain: string;
}

export interface NodePkiInput {
  readonly authorities: Authorities;
  /** PEM of `createServiceAccountKey`. */
  readonly serviceAccountKey: string;
  readonly node: PkiNode;
  readonly cluster: PkiCluster;
  /** Days of validity. */
  readonly days?: number;
}

/** Magnum's default (`term_of_validity`). */
const FIVE_YEARS = 5 * 365;

type Plan = Readonly<Record<string, readonly [authority: CertifiedKey, leaf: Omit<Leaf, 'days'>]>>;

/** @returns PEM by file name: `kubelet.crt` */
export async function nodePki(input: NodePkiInput): Promise<Record<string, string>> {
  const { authorities, serviceAccountKey, node, days = FIVE_YEARS } = input;
  const isMaster = node.role === 'master';
  const plan = { ...workerPlan(input), ...(isMaster ? masterPlan(input) : {}) };
  const issued = await Promise.all(
    Object.entries(plan).map(async ([name, [authority, leaf]]) => {
      const { certificatePem, privateKeyPem } = await issue(authority, { ...leaf, days });
      return { [`${name}.crt`]: certificatePem, [`${name}.key`]: privateKeyPem };
    }),
  );
  const { ca, etcdCa, frontProxyCa } = authorities;
  const ofMasters = {
    'ca.key': ca.privateKeyPem,
    'front-proxy-ca.crt': frontProxyCa.certificatePem,
    'etcd-ca.crt': etcdCa.certificatePem,
    'service-account.key': serviceAccountKey,
    'service-account.pub': publicKeyOf(serviceAccountKey),
  };
  return Object.assign(
    { 'ca.crt': ca.certificatePem },
    ...issued,
    isMaster ? ofMasters : {},
  ) as Record<string, string>;
}

function workerPlan({ authorities: { ca }, node }: NodePkiInput): Plan {
  const identity = { commonName: `system:node:${node.name}`, organizations: ['system:nodes'] };
  return {
    kubelet: [ca, { ...identity, usages: ['client'] }],
    'kubelet-server': [
      ca,
      { ...identity, usages: ['server'], ...namesOf([node.name, ...node.addresses]) },
    ],
    'kube-proxy': [ca, { commonName: 'system:kube-proxy', usages: ['client'] }],
  };
}

function masterPlan({ authorities, node, cluster }: NodePkiInput): Plan {
  const { ca, etcdCa, frontProxyCa } = authorities;
  const own = [node.name, 'localhost', '127.0.0.1', ...node.addresses];
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  const api = [
    ...service,
    `kubernetes.default.svc.${cluster.domain}`,
    cluster.kubernetesServiceIp,
    ...own,
    ...cluster.apiAddresses,
  ];
  return {
    apiserver: [ca, { commonName: 'kube-apiserver', usages: ['server'], ...namesOf(api) }],
    'apiserver-kubelet-client': [ca, administrator('kube-apiserver-kubelet-client')],
    'front-proxy-client': [frontProxyCa, { commonName: 'front-proxy-client', usages: ['client'] }],
    'controller-manager': [
      ca,
      { commonName: 'system:kube-controller-manager', usages: ['client'] },
    ],
    scheduler: [ca, { commonName: 'system:kube-scheduler', usages: ['client'] }],
    admin: [ca, administrator('admin')],
    'cloud-controller-manager': [ca, administrator('system:cloud-controller-manager')],
    // etcd connects to itself with its server certificate, so that needs client usage too.
    'etcd-server': [etcdCa, member(node.name, own)],
    'etcd-peer': [etcdCa, member(node.name, own)],
    'etcd-client': [etcdCa, { commonName: 'kube-apiserver-etcd-client', usages: ['client'] }],
  };
}

/** system:masters may do everything, whatever the cluster's RBAC rules. */
function administrator(commonName: string): Omit<Leaf, 'days'> {
  return { commonName, organizations: ['system:masters'], usages: ['client'] };
}

function member(commonName: string, names: readonly string[]): Omit<Leaf, 'days'> {
  return { commonName, usages: ['server', 'client'], ...namesOf(names) };
}

function namesOf(names: readonly string[]): Pick<Leaf, 'dnsNames' | 'ipAddresses'> {
  return {
    dnsNames: names.filter((name) => isIP(name) === 0),
    ipAddresses: names.filter((name) => isIP(name) !== 0),
  };
}
