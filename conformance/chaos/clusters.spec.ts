/**
 * Clusters that are changed at random while the cloud's process is killed: each ends COMPLETE, with the
 * nodes that its groups say; none is lost or there twice; and what is deleted leaves nothing, not even a
 * trust. `npm run chaos -- clusters`; CHAOS_CLUSTER_CHANGES says how many changes are accepted (150).
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { RunningCloud } from '../support/running-cloud.js';
import { whatThereIs } from '../support/what-there-is.js';
import { bootable } from './bootable-image.js';
import { CloudClient } from './cloud-client.js';
import {
  allOf,
  ask,
  changeCluster,
  createCluster,
  createTemplate,
  rowsOf,
  type ClusterRow,
  type GroupRow,
} from './cluster-changes.js';
import { SIMULATED } from './settings.js';

const CHANGES = Number(process.env['CHAOS_CLUSTER_CHANGES'] ?? 150);
const CLIENTS = 4;
/** Of all clients together. */
const CLUSTERS = 12;
const HOUR = 3_600_000;
/** After the last kill, nothing is under way for longer. */
const SETTLED_MS = 300_000;
/** A trust that a request was killed with is looked for a quarter of an hour later, in rounds. */
const TRUSTS_MS = 25 * 60_000;
/** The least and the most changes between two kills: a few seconds' worth. */
const KILL_AFTER = [5, 20] as const;

const SETTINGS = {
  ...SIMULATED,
  LOADBALANCER_DATA_PLANE: 'simulated',
  CLUSTERS_QUOTA_CLUSTERS: '-1',
  CLUSTERS_QUOTA_NODES: '-1',
  CLUSTERS_HEALTH_SECONDS: '1',
};

describe('clusters of a cloud that is killed again and again', () => {
  /** The ids of those whose creation was answered, and whose deletion was never asked for. */
  const there = new Set<string>();
  /** The names of those whose creation was not answered: one may be there, but not two. */
  const unanswered = new Set<string>();
  /** The ids of those whose deletion was asked for, and of those where it was confirmed. */
  const leaving = new Set<string>();
  const gone = new Set<string>();
  let left = CHANGES;
  let named = 0;
  let kills = 0;
  let cloud: RunningCloud;
  let client: CloudClient;
  let before: Awaited<ReturnType<typeof whatThereIs>>;
  let templateIds: string[];

  beforeAll(async () => {
    cloud = await RunningCloud.start(SETTINGS);
    client = new CloudClient(cloud);
    await client.logIn();
    const imageId = await bootable(client, { os_distro: 'cumulet-node' });
    before = await whatThereIs(cloud);
    templateIds = [
      await createTemplate(client, 'first', imageId),
      await createTemplate(client, 'second', imageId),
    ];
  }, HOUR);
  afterAll(() => cloud.remove(), HOUR);

  it(
    'are carried on with, and nothing answers 500',
    async () => {
      const working = Array.from({ length: CLIENTS }, async () => {
        while (left > 0) {
          const status = await step();
          if (status === 0) await client.reach();
          else if (status < 400) left -= 1;
        }
      });
      await Promise.all([...working, killMeanwhile()]);
      expect(client.failures).toEqual([]);
    },
    HOUR,
  );

  it(
    'are COMPLETE soon after the last kill',
    async () => {
      let rows: readonly ClusterRow[] = [];
      await eventually('settled clusters', SETTLED_MS, async () => {
        const found = await rowsOf<ClusterRow>(client, '/clusters/detail');
        rows = found ?? rows;
        const isSettled = found?.every(({ status }) => !status.endsWith('IN_PROGRESS')) ?? false;
        return isSettled ? true : undefined;
      }).catch((error: unknown) => {
        throw new Error(`These are: ${JSON.stringify(rows)}`, { cause: error });
      });
      expect(rows.filter(({ status }) => !status.endsWith('COMPLETE'))).toEqual([]);
    },
    HOUR,
  );

  it(
    'are neither lost nor there twice',
    async () => {
      const rows = await allOf<ClusterRow>(client, '/clusters');
      const ids = new Set(rows.map(({ uuid }) => uuid));
      expect([...there].filter((id) => !ids.has(id))).toEqual([]);
      expect([...gone].filter((id) => ids.has(id))).toEqual([]);
      const unknown = rows.filter(({ uuid }) => !there.has(uuid) && !leaving.has(uuid));
      const names = unknown.map(({ name }) => name);
      expect(names.filter((name) => !unanswered.has(name))).toEqual([]);
      expect(names).toEqual([...new Set(names)]);
    },
    HOUR,
  );

  it(
    'have the nodes that their groups say',
    async () => {
      for (const { uuid } of await allOf<ClusterRow>(client, '/clusters')) {
        const path = `/clusters/${uuid}/nodegroups`;
        for (const { name } of await allOf<GroupRow>(client, path)) {
          const { body } = await ask(client, 'GET', `${path}/${name}`);
          const group = body as GroupRow;
          expect(group.status).toMatch(/COMPLETE$/);
          expect(group.node_addresses).toHaveLength(group.node_count);
        }
      }
    },
    HOUR,
  );

  it(
    'leave nothing once they are deleted',
    async () => {
      await eventually('all gone', SETTLED_MS, async () => {
        const rows = await rowsOf<ClusterRow>(client, '/clusters');
        for (const { uuid } of rows ?? []) await ask(client, 'DELETE', `/clusters/${uuid}`);
        return rows?.length === 0 ? true : undefined;
      });
      for (const id of templateIds)
        expect((await ask(client, 'DELETE', `/clustertemplates/${id}`)).status).toBe(204);
      let found: typeof before = {};
      const look = async (): Promise<true | undefined> => {
        found = await whatThereIs(cloud);
        return JSON.stringify(found) === JSON.stringify(before) ? true : undefined;
      };
      await eventually('nothing left', TRUSTS_MS, look, { everyMs: 5_000 }).catch(() =>
        expect(found).toEqual(before),
      );
      const answered = [...client.statuses].sort().map(([status, times]) => `${status}: ${times}`);
      console.log(
        `${CHANGES} changes, killed ${kills} times; answers by status (0: none): ${answered.join(', ')}`,
      );
    },
    HOUR,
  );

  /** @returns the status that it was answered with; 0 where it was not */
  async function step(): Promise<number> {
    const ids = [...there];
    const id = ids[Math.floor(Math.random() * ids.length)];
    if (id === undefined || (ids.length < CLUSTERS && Math.random() < 0.3)) return create();
    if (Math.random() < 0.15) return remove(id);
    return (await changeCluster(client, id, templateIds)).status;
  }

  async function create(): Promise<number> {
    const name = `chaos-${(named += 1)}`;
    const { status, body } = await createCluster(client, name, templateIds[0] ?? '');
    if (status === 202) there.add((body as { uuid: string }).uuid);
    else unanswered.add(name);
    return status;
  }

  async function remove(id: string): Promise<number> {
    there.delete(id);
    leaving.add(id);
    const { status } = await ask(client, 'DELETE', `/clusters/${id}`);
    if (status === 204) gone.add(id);
    return status;
  }

  /** Kills the process, which it starts again, each time that so much was done. */
  async function killMeanwhile(): Promise<void> {
    const [least, most] = KILL_AFTER;
    for (;;) {
      const next = left - least - Math.floor(Math.random() * (most - least));
      await eventually('further changes', HOUR, () =>
        Promise.resolve(left <= Math.max(next, 0) || undefined),
      );
      if (left <= 0) return;
      await cloud.kill();
      kills += 1;
      await cloud.start();
    }
  }
});
