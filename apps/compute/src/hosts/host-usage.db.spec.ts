/** The sums by host match the servers, whatever happens to these. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { databaseUrlOf } from '@cumulet/common/database/data-source';
import { claimedDiskGb } from '../servers/server.entity.js';
import { NoValidHostError } from '../servers/server.errors.js';
import { startServerWorld, type ServerWorld } from '../servers/server-world.fixture.js';
import { Placement } from '../scheduler/placement.js';
import { testComputeConfig } from '../compute.fixture.js';
import { HostRepository } from './host.repository.js';

let world: ServerWorld;

beforeAll(async () => {
  world = await startServerWorld();
});
afterAll(async () => {
  await world.stop();
});
beforeEach(async () => {
  await world.dataSource.query('DELETE FROM servers');
});

interface Usage {
  readonly host: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
}

/** Usage of the hosts that have any. */
function usage(): Promise<Usage[]> {
  return world.dataSource.query(
    `SELECT host, vcpus, memory_mb AS "memoryMb", disk_gb AS "diskGb" FROM host_usage
      WHERE (vcpus, memory_mb, disk_gb) <> (0, 0, 0) ORDER BY host`,
  );
}

const sized = (host: string | null, vcpus = 1) => ({ host, vcpus, memoryMb: 512, diskGb: 1 });

it('counts new servers, one or many at once', async () => {
  await world.insert('active', sized('one'));
  await world.insert('active', sized('two', 2));
  await world.insert('scheduling', sized(null));
  await world.dataSource.query(
    `INSERT INTO servers SELECT (jsonb_populate_record(servers, jsonb_build_object('id', gen_random_uuid()))).*
       FROM servers`,
  );
  expect(await usage()).toEqual([
    { host: 'one', vcpus: 2, memoryMb: 1024, diskGb: 2 },
    { host: 'two', vcpus: 4, memoryMb: 1024, diskGb: 2 },
  ]);
});

it.each([
  [{}, 1],
  [{ ephemeralGb: 4 }, 5],
  [{ ephemeralGb: 4, swapMb: 1 }, 6],
  [{ swapMb: 2048 }, 3],
])('counts ephemeral and swap disks as a placement claims them: %p', async (disks, diskGb) => {
  const flavor = { id: '1', name: 'm1.tiny', ...disks };
  const id = await world.insert('active', { ...sized('one'), flavor });
  expect(await usage()).toEqual([{ host: 'one', vcpus: 1, memoryMb: 512, diskGb }]);
  expect(claimedDiskGb({ diskGb: 1, flavor })).toBe(diskGb);
  await world.dataSource.query('DELETE FROM servers WHERE id = $1', [id]);
  expect(await usage()).toEqual([]);
});

it('follows a server that is placed, resized, moved and released', async () => {
  const id = await world.insert('scheduling', sized(null));
  const set = async (change: string): Promise<Usage[]> => {
    await world.dataSource.query(`UPDATE servers SET ${change} WHERE id = $1`, [id]);
    return usage();
  };
  const one = { host: 'one', vcpus: 1, memoryMb: 512, diskGb: 1 };
  expect(await set("host = 'one'")).toEqual([one]);
  expect(await set("name = 'other'")).toEqual([one]);
  expect(await set('vcpus = 4, memory_mb = 1024')).toEqual([{ ...one, vcpus: 4, memoryMb: 1024 }]);
  expect(await set("host = 'two', vcpus = 1, memory_mb = 512")).toEqual([{ ...one, host: 'two' }]);
  expect(await set('host = NULL')).toEqual([]);
});

it('releases the shares of deleted servers and of rolled back transactions', async () => {
  await world.insert('active', sized('one'));
  const kept = await usage();
  await expect(
    world.dataSource.transaction(async (tx) => {
      await tx.query("UPDATE servers SET host = 'two'");
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await usage()).toEqual(kept);
  await world.dataSource.query('DELETE FROM servers');
  expect(await usage()).toEqual([]);
});

it('decides placements', async () => {
  const config = testComputeConfig(databaseUrlOf(world.dataSource));
  const { host } = config;
  const placement = new Placement(new HostRepository(), config);
  const find = async (id: string) => {
    const server = await world.read(id);
    if (!server) throw new Error('the server is gone');
    return server;
  };
  const id = await world.insert('scheduling', sized(null));
  await placement.place(world.ctx, await find(id));
  expect(await usage()).toEqual([{ host, vcpus: 1, memoryMb: 512, diskGb: 1 }]);
  await world.insert('active', sized(host, 1_000_000));
  const refused = await find(await world.insert('scheduling', sized(null)));
  await expect(placement.place(world.ctx, refused)).rejects.toThrow(NoValidHostError);
});
