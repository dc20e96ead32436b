/**
 * Clusters of real servers on OVN, whose guests play the nodes' part: they read their user data, fetch
 * certificates by the guests' door with the token in there, and say how they are.
 */
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { haltingDisk } from '@cumulet/testing/halting-disk';
import { eventually } from '@cumulet/testing/settle';
import { MicroCloud } from './micro-cloud.fixture.js';

const CLUSTERS = '/container-infra/v1/clusters';
/** Ends what hangs: guests that boot side by side on a busy machine take minutes. */
const LIMIT_MS = 600_000;

interface Cluster {
  readonly status: string;
  readonly status_reason: string | null;
  readonly node_addresses: readonly string[];
  readonly master_addresses: readonly string[];
  readonly faults?: Readonly<Record<string, string>>;
}

let cloud: MicroCloud;

/** Of one master and a worker, behind a load balancer. @returns the template's id */
function templateOf(name: string, image: string): Promise<string> {
  return cloud.create<string>('/container-infra/v1/clustertemplates', {
    name,
    coe: 'kubernetes',
    image_id: image,
    flavor_id: 'm1.nano',
    master_flavor_id: 'm1.nano',
    master_lb_enabled: true,
  });
}

const show = (id: string): Promise<Cluster> => cloud.whole<Cluster>(`${CLUSTERS}/${id}`);

/** @returns the cluster, once nothing of it is under way */
async function settled(id: string): Promise<Cluster> {
  let last: Cluster | undefined;
  await eventually(
    'the cluster settles',
    async () => {
      last = await show(id);
      return !last.status.endsWith('IN_PROGRESS');
    },
    LIMIT_MS,
  ).catch((error: unknown) => {
    throw new Error(JSON.stringify(last), { cause: error });
  });
  return last as Cluster;
}

async function gone(id: string): Promise<void> {
  const isGone = async (): Promise<boolean> =>
    (await cloud.whole<{ clusters: { uuid: string }[] }>(CLUSTERS)).clusters.every(
      ({ uuid }) => uuid !== id,
    );
  await eventually('the cluster is gone', isGone, LIMIT_MS);
}

/** @param name of the cluster. @returns how many servers it has */
async function serversOf(name: string): Promise<number> {
  const servers = await cloud.get<{ name: string }[]>('/compute/v2.1/servers');
  return servers.filter((server) => server.name.startsWith(`${name}-`)).length;
}

/** What the project has of all that clusters are made of. */
async function left(): Promise<Record<string, number>> {
  const lists = {
    servers: '/compute/v2.1/servers',
    stacks: '/orchestration/stacks',
    balancers: '/load-balancer/v2.0/lbaas/loadbalancers',
    routers: '/networking/v2.0/routers',
    'floating IPs': '/networking/v2.0/floatingips',
    networks: '/networking/v2.0/networks?router:external=false',
    groups: '/networking/v2.0/security-groups',
  };
  const counts = Object.entries(lists).map(
    async ([name, path]) => [name, (await cloud.get<object[]>(path)).length] as const,
  );
  return Object.fromEntries(await Promise.all(counts));
}

let before: Awaited<ReturnType<typeof left>>;
/** The id of a cluster whose nodes never say anything, and whose time runs out during the other tests. */
let mute: string;

beforeAll(async () => {
  cloud = await MicroCloud.start({ os_distro: 'cumulet-node' });
  before = await left();
  const image = await cloud.upload(
    { name: 'silent', disk_format: 'raw', os_distro: 'cumulet-node' },
    haltingDisk(),
  );
  const fields = { cluster_template_id: await templateOf('silent', image), create_timeout: 1 };
  mute = await cloud.create<string>(CLUSTERS, { name: 'mute', ...fields });
}, 240_000);
afterAll(() => cloud.stop(), LIMIT_MS);

describe('a cluster with nodes that boot', () => {
  let id: string;

  it(
    'is complete once each node has fetched its certificates and reported ready',
    async () => {
      const template = await templateOf('micro', cloud.image);
      id = await cloud.create<string>(CLUSTERS, { name: 'web', cluster_template_id: template });
      expect(await settled(id)).toMatchObject({
        status: 'CREATE_COMPLETE',
        status_reason: null,
        node_addresses: [expect.any(String)],
        master_addresses: [expect.any(String)],
        api_address: expect.stringMatching(/^https:\/\/10\.0\.0\.\d+:6443$/),
      });
    },
    LIMIT_MS,
  );

  it(
    'can be scaled up and down',
    async () => {
      const resize = (count: number): Promise<string> =>
        cloud.create(`${CLUSTERS}/${id}/actions/resize`, { node_count: count });
      await resize(2);
      expect(await settled(id)).toMatchObject({
        status: 'UPDATE_COMPLETE',
        node_addresses: { length: 2 },
      });
      await resize(1);
      expect(await settled(id)).toMatchObject({
        status: 'UPDATE_COMPLETE',
        node_addresses: { length: 1 },
      });
      expect(await serversOf('web')).toBe(2);
    },
    LIMIT_MS,
  );

  it(
    'is deleted with its servers',
    async () => {
      await cloud.delete(`${CLUSTERS}/${id}`);
      await gone(id);
      expect(await serversOf('web')).toBe(0);
    },
    LIMIT_MS,
  );
});

describe('a cluster with silent nodes', () => {
  it(
    'fails at its timeout and names them, and deleted clusters leave nothing behind',
    async () => {
      expect(await settled(mute)).toMatchObject({
        status: 'CREATE_FAILED',
        status_reason: expect.stringMatching(
          /^Create timed out after 1 minutes: node mute-master-\w+ has never reported; node mute-node-\w+ has never reported$/,
        ),
        faults: {
          'default-master': expect.stringContaining('has never reported'),
          'default-worker': expect.stringContaining('has never reported'),
        },
      });
      await cloud.delete(`${CLUSTERS}/${mute}`);
      await gone(mute);
      expect(await left()).toEqual(before);
    },
    LIMIT_MS,
  );
});
