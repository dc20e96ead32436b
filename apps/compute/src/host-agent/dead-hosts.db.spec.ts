/** What the sweep ends of the work on servers whose host is down. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { databaseUrlOf } from '@cumulet/common/database/data-source';
import { testComputeConfig } from '../compute.fixture.js';
import { Placement } from '../scheduler/placement.js';
import { startServerWorld, type ServerWorld } from '../servers/server-world.fixture.js';
import type { Server } from '../servers/server.entity.js';
import { type ServerState, TRANSITIONAL_STATES } from '../servers/server.states.js';
import { nudgeServer } from '../servers/server.tasks.js';
import { HostRepository } from '../hosts/host.repository.js';
import { addHost } from '../hosts/hosts.fixture.js';
import { DeadHostsSweep } from './dead-hosts.sweep.js';

let world: ServerWorld;

beforeAll(async () => {
  world = await startServerWorld();
  await addHost(world.ctx, 'silent', { silentSeconds: 13 });
  // Nowhere to build what was being built there.
  await world.dataSource.query("UPDATE hosts SET enabled = false WHERE name <> 'silent'");
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.dataSource.query('DELETE FROM servers');
  await world.dataSource.query('DELETE FROM leftover_guests');
  await world.dataSource.query('DELETE FROM jobs');
  await world.dataSource.query(
    "UPDATE hosts SET seen_at = now() - interval '13 seconds' WHERE name = 'silent'",
  );
});

/** As on the process of another host, or of this one. */
function sweepOf(host: string): DeadHostsSweep {
  const config = { ...testComputeConfig(databaseUrlOf(world.dataSource)), host };
  const placement = new Placement(new HostRepository(), config);
  return new DeadHostsSweep(world.servers, placement, world.reconciler, config);
}

const onSilent = (state: ServerState, values: Partial<Server> = {}): Promise<string> =>
  world.insert(state, { host: 'silent', ...values });

async function sweepTwice(host = 'another'): Promise<void> {
  const sweep = sweepOf(host);
  await sweep.sweep(world.ctx);
  await sweep.sweep(world.ctx);
}

/** Deletes and builds go on elsewhere; what is kept of a resize, only the host can give up. */
const WAITING: readonly ServerState[] = [
  'deleting',
  'building',
  'arriving',
  'undoing-resize',
  'reverting',
  'confirming',
];
const PLACELESS: readonly ServerState[] = ['scheduling', 'unshelve-scheduling'];

it('ends work, but not what goes on without the host, or must wait for it', async () => {
  const states = TRANSITIONAL_STATES.filter((state) => !PLACELESS.includes(state));
  const ids = new Map<string, ServerState>();
  for (const state of states) ids.set(await onSilent(state), state);
  await sweepTwice();
  const ends: Record<string, unknown> = {};
  for (const [id, state] of ids) ends[state] = (await world.read(id))?.state;
  expect(ends).toMatchObject({
    deleting: 'deleting',
    building: 'building',
    stopping: 'error',
    starting: 'error',
    rebuilding: 'error',
    unpausing: 'error',
    pausing: 'active',
    suspending: 'active',
    snapshotting: 'active',
    shelving: 'active',
    'snapshotting-stopped': 'stopped',
    'shelving-suspended': 'suspended',
    resizing: 'undoing-resize',
    migrating: 'undoing-resize',
    unshelving: 'shelved-offloaded',
    'unshelving-here': 'shelved',
    offloading: 'error',
  });
  for (const [id, state] of ids) {
    expect(await world.read(id)).toMatchObject(
      WAITING.includes(state) ? { state } : { stateReason: 'The host went down.' },
    );
  }
});

it('gives up the host that a server was being unshelved on, which removes what it has', async () => {
  const id = await onSilent('unshelving');
  await sweepTwice();
  expect(await world.read(id)).toMatchObject({ state: 'shelved-offloaded', host: null });
  const left: unknown = await world.dataSource.query('SELECT host, server_id FROM leftover_guests');
  expect(left).toEqual([{ host: 'silent', server_id: id }]);
});

it('leaves the image that a server was being copied into to the sweep of left ones', async () => {
  const snapshot = { image: { id: 'copy' }, isShelved: false } as Server['snapshot'];
  const id = await onSilent('snapshotting', { snapshot });
  await sweepTwice();
  expect(await world.read(id)).toMatchObject({ state: 'active', snapshot });
});

describe('it ends nothing', () => {
  let id: string;
  beforeEach(async () => {
    id = await onSilent('stopping');
  });
  afterEach(async () => {
    expect(await world.read(id)).toMatchObject({ state: 'stopping' });
  });

  it('at the first look, as all hosts are silent after the database was away', async () => {
    const sweep = sweepOf('another');
    await sweep.sweep(world.ctx);
    await world.dataSource.query("UPDATE hosts SET seen_at = now() WHERE name = 'silent'");
    await sweep.sweep(world.ctx);
  });

  it('of its own host, whose process it is', async () => {
    await sweepTwice('silent');
  });

  it('that a worker has in hand which nobody has found dead', async () => {
    await nudgeServer(world.ctx, { id: asId(id), host: 'silent' });
    await world.dataSource.query("UPDATE jobs SET worker = 'w'");
    await sweepTwice();
  });
});
