/**
 * Servers that are created and acted upon at random while the cloud's process, API and host agent
 * alike, is killed: each ends in a stable state, hosts have claimed what their servers' flavors say,
 * and what is deleted leaves nothing in any service. `npm run chaos`; CHAOS_SERVERS says how many
 * are created, and how many actions there are (500).
 */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { RunningCloud } from '../support/running-cloud.js';
import { bootable } from './bootable-image.js';
import { CloudClient } from './cloud-client.js';
import { act, actionsOf, FLAVORS, isSettled, type ServerRow } from './server-actions.js';
import { SIMULATED } from './settings.js';

const SERVERS = Number(process.env['CHAOS_SERVERS'] ?? 500);
const CLIENTS = 8;
const HOUR = 3_600_000;
/** After the last restart, nothing is under way for longer. */
const SETTLED_MS = 120_000;
/** The least and the most requests between two kills. */
const KILL_AFTER = [40, 160] as const;
/** The last microversion in which hypervisors show what is claimed of them. */
const WITH_CLAIMS = 'compute 2.87';

const SETTINGS = {
  ...SIMULATED,
  NETWORK_QUOTA_PORTS: '-1',
  COMPUTE_RESERVED_MEMORY_MB: '0',
};

describe('servers of a cloud that is killed again and again', () => {
  const there = new Set<string>();
  const unanswered = new Set<string>();
  let todo: ('create' | 'act')[] = [];
  let kills = 0;
  let cloud: RunningCloud;
  let client: CloudClient;
  let imageId: string;
  let networkId: string;

  beforeAll(async () => {
    cloud = await RunningCloud.start(SETTINGS);
    client = new CloudClient(cloud);
    await client.logIn();
    imageId = await bootable(client);
    networkId = await roomyNetwork(client);
    for (const flavor of FLAVORS)
      await client.send('POST', '/compute/v2.1/flavors', { as: 'admin', json: { flavor } });
    const each = Array.from({ length: SERVERS }, () => ['create', 'act'] as const);
    todo = shuffled(each.flat());
  }, HOUR);
  afterAll(() => cloud.remove(), HOUR);

  const servers = async (): Promise<ServerRow[] | undefined> => {
    const path = '/compute/v2.1/servers/detail?all_tenants=1';
    const { status, body } = await client.send('GET', path, { as: 'admin', version: WITH_CLAIMS });
    return status === 200 ? (body as { servers: ServerRow[] }).servers : undefined;
  };

  /** Waits until nothing is under way. */
  const settled = (what: string): Promise<ServerRow[]> =>
    eventually(what, SETTLED_MS, async () => {
      const rows = await servers();
      return rows?.every(isSettled) ? rows : undefined;
    });

  it(
    'are carried on with, and nothing answers 500',
    async () => {
      const working = Array.from({ length: CLIENTS }, async () => {
        for (;;) {
          const next = todo.pop();
          if (next === undefined) return;
          const answered = next === 'create' ? await create() : await actOnAny();
          if (!answered) await client.reach();
        }
      });
      await Promise.all([Promise.all(working), killMeanwhile()]);
      expect(client.failures).toEqual([]);
    },
    HOUR,
  );

  it(
    'are in stable states soon after the last restart, none lost and none made twice',
    async () => {
      const rows = await settled('stable states');
      const ids = new Set(rows.map(({ id }) => id));
      expect([...there].filter((id) => !ids.has(id))).toEqual([]);
      const unknown = rows.filter(({ id }) => !there.has(id)).map(({ name }) => name);
      expect(unknown.filter((name) => !unanswered.has(name))).toEqual([]);
      expect(unknown).toEqual([...new Set(unknown)]);
    },
    HOUR,
  );

  it(
    'have claimed of hosts what their flavors say',
    async () => {
      for (const { id, status } of (await servers()) ?? [])
        if (status === 'VERIFY_RESIZE') await act(client, id, { confirmResize: null });
      const placed = (await settled('confirmed resizes')).filter(
        (server) => server['OS-EXT-SRV-ATTR:host'] !== null,
      );
      const sum = (of: (server: ServerRow) => number): number =>
        placed.map(of).reduce((all, one) => all + one, 0);
      expect(await guests(cloud)).not.toEqual([]);
      expect(await claims()).toEqual({
        vcpus: sum(({ flavor }) => flavor.vcpus),
        ram: sum(({ flavor }) => flavor.ram),
        disk: sum(({ flavor }) => flavor.disk),
      });
    },
    HOUR,
  );

  it(
    'leave nothing in any service once they are deleted',
    async () => {
      await eventually('all servers gone', SETTLED_MS, async () => {
        const rows = await servers();
        for (const { id } of rows ?? [])
          await client.send('DELETE', `/compute/v2.1/servers/${id}`, { as: 'admin' });
        return rows?.length === 0 ? true : undefined;
      });
      await eventually('no port left', SETTLED_MS, async () =>
        (await portsOfServers()).length === 0 ? true : undefined,
      );
      expect(await claims()).toEqual({ vcpus: 0, ram: 0, disk: 0 });
      await eventually('no image half made', SETTLED_MS, async () =>
        (await unfinishedImages()).length === 0 ? true : undefined,
      );
      await eventually('no guest left', SETTLED_MS, async () =>
        (await guests(cloud)).length === 0 ? true : undefined,
      );
      const answers = [...client.statuses].sort().map(([status, times]) => `${status}: ${times}`);
      console.log(
        `${SERVERS} creates, ${SERVERS} actions, killed ${kills} times; answers by status (0: none): ${answers.join(', ')}`,
      );
    },
    HOUR,
  );

  async function create(): Promise<boolean> {
    const name = `chaos-${todo.length}`;
    const flavorRef = any(FLAVORS)?.id;
    const networks = [{ uuid: networkId }];
    const json = { server: { name, imageRef: imageId, flavorRef, networks } };
    const { status, body } = await client.send('POST', '/compute/v2.1/servers', { json });
    if (status === 202) there.add((body as { server: { id: string } }).server.id);
    else if (status === 0 || status >= 500) unanswered.add(name);
    else throw new Error(`POST /servers: ${status} ${JSON.stringify(body)}`);
    return status !== 0;
  }

  async function actOnAny(): Promise<boolean> {
    const id = any([...there]);
    if (id === undefined) return true;
    const { status } = await act(client, id, any(actionsOf({ imageId })) ?? {});
    return status !== 0;
  }

  async function killMeanwhile(): Promise<void> {
    for (;;) {
      const [least, most] = KILL_AFTER;
      const next = todo.length - least - Math.floor(Math.random() * (most - least));
      await eventually('further requests', HOUR, () =>
        Promise.resolve(todo.length <= Math.max(next, 0) || undefined),
      );
      if (todo.length === 0) return;
      await cloud.kill();
      kills += 1;
      await cloud.start();
    }
  }

  /** What hosts say is claimed of them: VCPUs, MiB and GiB. */
  async function claims(): Promise<object> {
    const path = '/compute/v2.1/os-hypervisors/detail';
    const { body } = await client.send('GET', path, { as: 'admin', version: WITH_CLAIMS });
    const { hypervisors } = body as { hypervisors: Record<string, number>[] };
    const sum = (key: string): number =>
      hypervisors.map((one) => one[key] ?? 0).reduce((all, one) => all + one, 0);
    return { vcpus: sum('vcpus_used'), ram: sum('memory_mb_used'), disk: sum('local_gb_used') };
  }

  async function portsOfServers(): Promise<unknown[]> {
    const { body } = await client.send('GET', '/networking/v2.0/ports', { as: 'admin' });
    const { ports } = body as { ports: { device_owner: string }[] };
    return ports.filter((port) => port.device_owner.startsWith('compute:'));
  }

  async function unfinishedImages(): Promise<unknown[]> {
    const { body } = await client.send('GET', '/image/v2/images?limit=1000', { as: 'admin' });
    const { images } = body as { images: { status: string }[] };
    return images.filter(({ status }) => status !== 'active');
  }
});

/** The files in which the simulated host keeps its guests. */
async function guests(cloud: RunningCloud): Promise<string[]> {
  const entries = await readdir(cloud.folder, { recursive: true });
  return entries.filter((path) => /simulated\/guests\/.+\.json$/.test(path));
}

/** One with an address for every server. @returns its id */
async function roomyNetwork(client: CloudClient): Promise<string> {
  const made = await client.send('POST', '/networking/v2.0/networks', {
    json: { network: { name: 'roomy' } },
  });
  const { id } = (made.body as { network: { id: string } }).network;
  const subnet = { network_id: id, ip_version: 4, cidr: '10.99.0.0/16' };
  await client.send('POST', '/networking/v2.0/subnets', { json: { subnet } });
  return id;
}

function any<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one);
}
