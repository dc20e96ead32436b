/** No host gives away more than it has, however many servers are placed at once. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { databaseUrlOf } from '@cumulet/common/database/data-source';
import { testComputeConfig } from '../compute.fixture.js';
import { Placement } from '../scheduler/placement.js';
import { NoValidHostError } from '../servers/server.errors.js';
import { startServerWorld, type ServerWorld } from '../servers/server-world.fixture.js';
import { HostRepository } from './host.repository.js';
import { addHost } from './hosts.fixture.js';

let world: ServerWorld;
let placement: Placement;

beforeAll(async () => {
  world = await startServerWorld();
  const config = testComputeConfig(databaseUrlOf(world.dataSource));
  placement = new Placement(new HostRepository(), { ...config, cpuRatio: 1, reservedMemoryMb: 0 });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.dataSource.query('DELETE FROM servers');
  await world.dataSource.query('DELETE FROM hosts');
  await addHost(world.ctx, 'one', { vcpus: 3 });
  await addHost(world.ctx, 'two', { vcpus: 2 });
});

async function waiting(): Promise<string> {
  return world.insert('scheduling', { host: null, vcpus: 1, memoryMb: 64, diskGb: 1 });
}

async function place(id: string): Promise<boolean> {
  const server = await world.read(id);
  if (!server) throw new Error('the server is gone');
  try {
    await placement.place(world.ctx, server);
    return true;
  } catch (error) {
    if (error instanceof NoValidHostError) return false;
    throw error;
  }
}

const byHost = (): Promise<unknown> =>
  world.dataSource.query(
    `SELECT host, count(*)::int AS servers FROM servers WHERE host IS NOT NULL
      GROUP BY host ORDER BY host`,
  );

it('fills the hosts to the last processor, and refuses the rest', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, waiting));
  const placed = await Promise.all(ids.map(place));
  expect(placed.filter(Boolean)).toHaveLength(5);
  expect(await byHost()).toEqual([
    { host: 'one', servers: 3 },
    { host: 'two', servers: 2 },
  ]);
});

it.each([
  ['anti-affinity', 2],
  ['affinity', 1],
])('keeps servers of a group to its policy: %s', async (policy, hosts) => {
  const group = '0b3c0b9e-6f0e-4b7e-9d2c-2f9c3a1f5a10';
  await world.dataSource.query('DELETE FROM server_groups');
  await world.dataSource.query(
    `INSERT INTO server_groups (id, project_id, user_id, name, policy) VALUES ($1, 'p', 'u', 'g', $2)`,
    [group, policy],
  );
  const ids = await Promise.all(Array.from({ length: 4 }, waiting));
  for (const id of ids)
    await world.dataSource.query('INSERT INTO server_group_members VALUES ($1, $2)', [id, group]);
  await Promise.all(ids.map(place));
  const rows = (await byHost()) as { host: string; servers: number }[];
  expect(rows).toHaveLength(hosts);
  expect(rows.map(({ servers }) => servers)).toEqual(policy === 'affinity' ? [3] : [1, 1]);
});
