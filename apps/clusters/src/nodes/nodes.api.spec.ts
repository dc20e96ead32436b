/** Requests and reports of nodes. */
import { randomUUID, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';
import type { Node } from './node.entity.js';
import { NodeTokens } from './node-token.js';

const NONCE = 'ab'.repeat(16);
const OTHER = 'cd'.repeat(16);
let fixture: ClustersFixture;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
  // The test plays the nodes.
  fixture.world.signals.push({ about: () => true, signal: undefined });
});
afterAll(() => fixture.stop());

type Named = Pick<Node, 'id'>;

const tokenOf = ({ id }: Named): string => fixture.app.nest.get(NodeTokens).of(id);

function ask(
  node: Named,
  what: string,
  body: object,
  token = tokenOf(node),
): Promise<TestResponse> {
  const headers = { Authorization: `Bearer ${token}` };
  return fixture.client.post(`/v1/nodes/${node.id}/${what}`, { body, headers });
}

const bootstrap = (node: Named, nonce = NONCE, addresses = ['10.0.0.7', '172.24.4.9']) =>
  ask(node, 'bootstrap', { nonce, addresses });

const report = (node: Node, fields: object = {}): Promise<TestResponse> =>
  ask(node, 'report', { phase: 'ready', status: 'READY', message: 'All is well.', ...fields });

interface Document {
  readonly node: object;
  readonly pki: Readonly<Record<string, string>>;
  readonly etcd: unknown;
  readonly cloud: unknown;
  readonly addons: unknown;
  readonly generation: number;
}
const documentOf = ({ body }: TestResponse): Document => body as Document;

/** The silent nodes of a new cluster, masters first. */
async function nodesOf(fields: object = {}): Promise<[string, Node[]]> {
  const id = await fixture.createCluster(fields);
  await fixture.work(id);
  return [id, await fixture.nodesOf(id)];
}

const MASTER = [
  'admin.crt',
  'admin.key',
  'apiserver-kubelet-client.crt',
  'apiserver-kubelet-client.key',
  'apiserver.crt',
  'apiserver.key',
  'ca.key',
  'cloud-controller-manager.crt',
  'cloud-controller-manager.key',
  'controller-manager.crt',
  'controller-manager.key',
  'etcd-ca.crt',
  'etcd-client.crt',
  'etcd-client.key',
  'etcd-peer.crt',
  'etcd-peer.key',
  'etcd-server.crt',
  'etcd-server.key',
  'front-proxy-ca.crt',
  'front-proxy-client.crt',
  'front-proxy-client.key',
  'scheduler.crt',
  'scheduler.key',
  'service-account.key',
  'service-account.pub',
];
const EVERYBODY = [
  'ca.crt',
  'kube-proxy.crt',
  'kube-proxy.key',
  'kubelet-server.crt',
  'kubelet-server.key',
  'kubelet.crt',
  'kubelet.key',
];

describe('a node with its token', () => {
  let master: Node;
  let worker: Node;
  beforeAll(async () => {
    const [, all] = await nodesOf();
    [master, worker] = all as [Node, Node];
  });

  it('gets its certificates and settings', async () => {
    const answer = await bootstrap(worker, NONCE, ['10.0.0.7']);
    expect(answer.status).toBe(200);
    const { pki, ...document } = documentOf(answer);
    expect(Object.keys(pki).sort()).toEqual(EVERYBODY);
    expect(document).toMatchObject({
      cluster: {
        id: worker.clusterId,
        domain: 'cluster.local',
        pod_cidr: '10.100.0.0/16',
        service_cidr: '10.254.0.0/16',
        dns_ip: '10.254.0.10',
        kubernetes_ip: '10.254.0.1',
      },
      node: {
        id: worker.id,
        name: worker.name,
        role: 'worker',
        ip: '10.0.0.7',
        labels: { 'cumulet.io/node-group': 'default-worker' },
        taints: [],
      },
      generation: 1,
      etcd: null,
      cloud: null,
      proxy: { http: null, https: null, no: null },
      registries: { insecure: [] },
      addons: { coredns: true, metrics_server: true, cloud_provider: true, network_policy: false },
    });
    const kubelet = new X509Certificate(pki['kubelet.crt'] ?? '');
    expect(kubelet.subject).toContain(`CN=system:node:${worker.name}`);
    expect(kubelet.verify(new X509Certificate(pki['ca.crt'] ?? '').publicKey)).toBe(true);
  });

  it("gets, as a master, the control plane's keys and the cloud settings", async () => {
    const { pki, etcd, cloud } = documentOf(await bootstrap(master));
    expect(Object.keys(pki).sort()).toEqual([...EVERYBODY, ...MASTER].sort());
    expect(etcd).toEqual({ founder: true, members: [] });
    expect(cloud).toMatchObject({
      auth_url: expect.stringMatching(/\/v3$/),
      trust_id: expect.any(String),
      user_id: expect.any(String),
      password: expect.any(String),
      cluster_name: master.clusterId,
    });
    const api = new X509Certificate(pki['apiserver.crt'] ?? '');
    expect(api.checkIP('172.24.4.9')).toBe('172.24.4.9');
    expect(api.checkIP('10.254.0.1')).toBe('10.254.0.1');
  });

  it('gets the same again with the same nonce', async () => {
    const again = await bootstrap(master);
    expect([again.status, documentOf(again).etcd]).toEqual([200, { founder: true, members: [] }]);
  });

  it('is refused with another nonce, since the token was used', async () => {
    const answer = await bootstrap(master, OTHER);
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('The token was used before'),
    ]);
  });

  it.each<[string, object]>([
    ['a nonce that is short', { nonce: 'ab', addresses: ['10.0.0.7'] }],
    ['a nonce in letters', { nonce: 'x'.repeat(32), addresses: ['10.0.0.7'] }],
    ['no address', { nonce: NONCE, addresses: [] }],
    ['a name for an address', { nonce: NONCE, addresses: ['localhost'] }],
    ['too many addresses', { nonce: NONCE, addresses: Array(17).fill('10.0.0.7') }],
  ])('is refused with %s', async (_, body) => {
    expect((await ask(worker, 'bootstrap', body)).status).toBe(400);
  });
});

describe('a token', () => {
  it('of another node or cluster, or none, is refused alike', async () => {
    const [, [master, worker]] = (await nodesOf()) as [string, [Node, Node]];
    const [, [stranger]] = (await nodesOf()) as [string, [Node]];
    const body = { nonce: NONCE, addresses: ['10.0.0.7'] };
    const words = (answer: TestResponse): unknown[] => [
      answer.status,
      (answer.body as { errors: { detail: string }[] }).errors[0]?.detail,
    ];
    const refusal = [403, 'The node ID or its token is invalid.'];
    for (const token of [tokenOf(worker), tokenOf(stranger), 'x', '']) {
      expect(words(await ask(master, 'bootstrap', body, token))).toEqual(refusal);
      const said = { phase: 'boot', status: 'IN_PROGRESS', message: '' };
      expect(words(await ask(master, 'report', said, token))).toEqual(refusal);
    }
    const none = { id: newNodeId() };
    expect(words(await ask(none, 'bootstrap', body))).toEqual(refusal);
    const bad = { id: 'no-id' as Node['id'] };
    expect(words(await ask(bad, 'bootstrap', body, 'x'))).toEqual(refusal);
    expect((await fixture.nodesOf(master.clusterId)).map(({ status }) => status)).toEqual([
      'SILENT',
      'SILENT',
    ]);
  });

  it('that has expired is refused, unless it was used before', async () => {
    const [id, [master, worker]] = (await nodesOf()) as [string, [Node, Node]];
    expect((await bootstrap(master)).status).toBe(200);
    await fixture.ctx.manager.query(
      `UPDATE nodes SET token_expires_at = now() - interval '1 minute' WHERE cluster_id = $1`,
      [id],
    );
    const late = await bootstrap(worker);
    expect([late.status, late.text]).toEqual([403, expect.stringContaining('has expired at')]);
    expect((await bootstrap(master)).status).toBe(200);
  });
});

describe('among three masters', () => {
  let all: [Node, Node, Node];
  beforeAll(async () => {
    const [, nodes] = await nodesOf({ master_count: 3, node_count: 0 });
    all = nodes as [Node, Node, Node];
  });

  it('one founds etcd, and the others wait for it', async () => {
    const answers = await Promise.all(all.map((node) => bootstrap(node)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 503, 503]);
    const refused = answers.find(({ status }) => status === 503);
    expect(refused?.headers.get('Retry-After')).toBe('5');
  });

  it('the others join once it is ready, one after the other', async () => {
    const [{ clusterId }] = all;
    const rows = await fixture.nodesOf(clusterId);
    const founder = rows.find(({ isFounder }) => isFounder);
    const others = rows.filter(({ isFounder }) => !isFounder);
    const [second, third] = others;
    if (!founder || !second || !third) throw new Error('there are not three');
    await report(founder, { phase: 'etcd', status: 'IN_PROGRESS', etcd: true });
    for (const node of others) expect((await bootstrap(node)).status).toBe(503);
    const members = [{ name: founder.name, ip: '10.0.0.7' }];
    await report(founder, { etcd: true });
    expect(documentOf(await bootstrap(second, NONCE, ['10.0.0.8'])).etcd).toEqual({
      founder: false,
      members,
    });
    const early = await bootstrap(third, NONCE, ['10.0.0.9']);
    expect([early.status, early.text]).toEqual([503, expect.stringContaining(second.name)]);
    await report(second, { etcd: true });
    expect(documentOf(await bootstrap(third, NONCE, ['10.0.0.9'])).etcd).toEqual({
      founder: false,
      members: [...members, { name: second.name, ip: '10.0.0.8' }],
    });
  });
});

describe('a report', () => {
  it('is stored, and wakes the cluster', async () => {
    const [id, [master]] = (await nodesOf()) as [string, [Node]];
    const answer = await report(master, {
      version: 'v1.35.4',
      generation: 1,
      etcd: true,
      addons: { coredns: { ready: false, message: 'no endpoints' } },
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      { generation: 1, interval: 20, etcd_remove: [], drain: false },
    ]);
    expect((await fixture.nodesOf(id))[0]).toMatchObject({
      status: 'READY',
      phase: 'ready',
      message: 'All is well.',
      version: 'v1.35.4',
      pkiGeneration: 1,
      hasEtcd: true,
      addons: { coredns: { ready: false, message: 'no endpoints' } },
    });
    const jobs: { late: number }[] = await fixture.ctx.manager.query(
      `SELECT extract(epoch FROM run_at - now())::float AS late
         FROM jobs WHERE resource = 'cluster' AND id = $1`,
      [id],
    );
    expect(jobs[0]?.late).toBeLessThanOrEqual(0);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      conditions: {
        control_plane: { status: 'ready' },
        addons: { status: 'pending', reason: 'coredns: no endpoints' },
        nodes: { status: 'pending' },
      },
    });
  });

  it('tells a master whom to remove from etcd, and waits for the removal', async () => {
    const [id, masters] = await nodesOf({ master_count: 3, node_count: 0 });
    for (const node of masters) {
      await bootstrap(node);
      await report(node, { etcd: true });
    }
    await fixture.work(id);
    const path = `/v1/clusters/${id}/actions/resize`;
    await fixture.ask('POST', path, { node_count: 1, nodegroup: 'default-master' });
    await fixture.work(id);
    const parting = (await fixture.nodesOf(id)).filter(({ fate }) => fate === 'parting');
    const staying = masters.find((one) => !parting.some((node) => node.id === one.id));
    expect(parting).toHaveLength(2);
    if (!staying) throw new Error('nobody stays');
    // Reports of a leaving member do not count.
    for (const node of parting) await report(node, { etcd: false });
    await fixture.work(id);
    expect(await fixture.nodesOf(id)).toHaveLength(3);
    const { body } = await report(staying, { etcd: true });
    const names = parting.map(({ name }) => name).sort();
    expect((body as { etcd_remove: string[] }).etcd_remove.sort()).toEqual(names);
    await report(staying, { etcd: true, etcd_removed: names });
    await fixture.work(id);
    expect((await fixture.nodesOf(id)).map(({ name }) => name)).toEqual([staying.name]);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE', master_count: 1 });
  });

  describe('of a worker being removed', () => {
    /** A cluster that shrinks to one worker, and the worker that goes. */
    async function shrunk(fields: object): Promise<[string, Node]> {
      const [id, all] = await nodesOf({ node_count: 2 });
      for (const node of all) {
        await bootstrap(node);
        await report(node, node.role === 'worker' ? fields : { etcd: true });
      }
      await fixture.work(id);
      await fixture.ask('POST', `/v1/clusters/${id}/actions/resize`, { node_count: 1 });
      await fixture.work(id);
      const [going] = (await fixture.nodesOf(id)).filter(({ fate }) => fate === 'parting');
      return [id, going as Node];
    }
    const workersOf = async (id: string): Promise<Node[]> =>
      (await fixture.nodesOf(id)).filter(({ role }) => role === 'worker');

    it('is answered with drain, and the worker goes once drained', async () => {
      const [id, going] = await shrunk({ drained: false });
      expect((await report(going, { drained: false })).body).toMatchObject({ drain: true });
      await fixture.work(id);
      expect(await workersOf(id)).toHaveLength(2);
      expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_IN_PROGRESS' });
      await report(going, { drained: true });
      await fixture.work(id);
      const [staying, ...others] = await workersOf(id);
      expect(others).toEqual([]);
      expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 1 });
      const { body } = await report(staying as Node, { drained: false });
      expect(body).toMatchObject({ drain: false });
    });

    it('does not delay removal beyond the drain limit', async () => {
      const [id, going] = await shrunk({ drained: false });
      await fixture.ctx.manager.query('UPDATE nodes SET drain_until = now() WHERE id = $1', [
        going.id,
      ]);
      await fixture.work(id);
      expect(await workersOf(id)).toHaveLength(1);
    });

    it('does not delay removal of a worker that cannot drain', async () => {
      const [id, going] = await shrunk({});
      expect(going).toBeUndefined();
      expect(await workersOf(id)).toHaveLength(1);
    });
  });

  it.each<[string, object]>([
    ['of an unknown phase', { phase: 'lunch' }],
    ['of another status', { status: 'FINE' }],
    ['with too many words', { message: 'x'.repeat(1_001) }],
    ['with add-ons that are none', { addons: { coredns: true } }],
    ['with what is no field', { zzz: 1 }],
  ])('%s is refused', async (_, fields) => {
    const [, [node]] = (await nodesOf()) as [string, [Node]];
    expect((await report(node, fields)).status).toBe(400);
  });
});

function newNodeId(): Node['id'] {
  return randomUUID() as Node['id'];
}
