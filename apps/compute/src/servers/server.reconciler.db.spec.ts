import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { reconcilerSuite, type ReconcilerCase } from '@cumulet/testing/reconciler-suite';
import { startServerWorld, type ServerWorld } from './server-world.fixture.js';
import type { Server } from './server.entity.js';
import { serverStates, type ServerEvent, type ServerState } from './server.states.js';

let world: ServerWorld;

beforeAll(async () => {
  world = await startServerWorld();
});

afterAll(async () => {
  await world.stop();
});

type Case = ReconcilerCase<Server, ServerState, ServerEvent>;

/** What the host holds of a server. */
function guest(id: string): object | undefined {
  const found = world.hypervisor.world.guests.get(id);
  return found && { state: found.state, starts: found.starts, hasDisk: found.disk !== undefined };
}

const common = {
  reconciler: () => world.reconciler,
  ctx: (): RequestContext => world.ctx,
  world: guest,
  expectFailed: async (id: string, stateReason: string) => {
    expect(await world.read(id)).toMatchObject({ state: 'error', stateReason });
  },
};

/** The row is in this state, and its guest as that state says. */
const expectSettled =
  (state: ServerState, running: boolean) =>
  async (id: string): Promise<void> => {
    expect(await world.read(id)).toMatchObject({ state, host: 'host-1', stateReason: null });
    expect(guest(id)).toMatchObject({ state: running ? 'running' : 'absent', hasDisk: true });
  };

/** The row is active again, with the reason, and its guest runs on. */
async function goesOn(id: string, stateReason: string): Promise<void> {
  expect(await world.read(id)).toMatchObject({ state: 'active', stateReason });
  expect(guest(id)).toMatchObject({ state: 'running', starts: 1 });
}

const cases: Case[] = [
  {
    ...common,
    state: 'scheduling',
    phases: ['choosePlace'],
    arrange: () => world.insert('scheduling'),
    expectDone: expectSettled('active', true),
    released: undefined,
  },
  {
    ...common,
    state: 'building',
    phases: ['ensurePorts', 'ensureImages', 'ensureDisk', 'ensureGuestRunning', 'recordLaunch'],
    arrange: () => world.insert('building'),
    expectDone: async (id) => {
      await expectSettled('active', true)(id);
      expect(await world.read(id)).toMatchObject({
        adminPassword: null,
        launchedAt: expect.any(Date),
      });
    },
    expectFailed: async (id, stateReason) => {
      expect(await world.read(id)).toMatchObject({ state: 'error', stateReason, host: null });
    },
    released: undefined,
  },
  {
    ...common,
    state: 'stopping',
    phases: ['ensureGuestShutDown', 'ensureGuestOff'],
    arrange: () => world.insertRunning('stopping'),
    expectDone: expectSettled('stopped', false),
  },
  {
    ...common,
    state: 'starting',
    phases: ['ensurePorts', 'ensureGuestRunning'],
    arrange: async () => {
      const id = await world.insertRunning('starting');
      await world.hypervisor.machines.powerOff(id);
      return id;
    },
    expectDone: expectSettled('active', true),
  },
  {
    ...common,
    state: 'rebooting',
    phases: ['ensureGuestShutDown', 'ensureGuestOff', 'ensurePorts', 'ensureGuestRunning'],
    arrange: () => world.insertRunning('rebooting'),
    expectDone: expectSettled('active', true),
  },
  {
    ...common,
    state: 'hard-rebooting',
    phases: ['ensureGuestOff', 'ensurePorts', 'ensureGuestRunning'],
    arrange: () => world.insertRunning('hard-rebooting'),
    expectDone: expectSettled('active', true),
  },
  {
    ...common,
    state: 'pausing',
    phases: ['ensureGuestPaused'],
    arrange: () => world.insertRunning('pausing'),
    expectDone: async (id) => {
      expect(await world.read(id)).toMatchObject({ state: 'paused' });
      expect(guest(id)).toMatchObject({ state: 'paused', starts: 1 });
    },
    expectFailed: goesOn,
  },
  {
    ...common,
    state: 'unpausing',
    phases: ['ensureGuestRunning'],
    arrange: async () => {
      const id = await world.insertRunning('unpausing');
      await world.hypervisor.machines.pause(id);
      return id;
    },
    expectDone: async (id) => {
      await expectSettled('active', true)(id);
      expect(guest(id)).toMatchObject({ starts: 1 });
    },
  },
  {
    ...common,
    state: 'suspending',
    phases: ['ensureGuestSuspended'],
    arrange: () => world.insertRunning('suspending'),
    expectDone: expectSettled('suspended', false),
    expectFailed: goesOn,
  },
  {
    ...common,
    state: 'resuming',
    phases: ['ensureGuestRunning'],
    arrange: async () => {
      const id = await world.insertRunning('resuming');
      await world.hypervisor.machines.suspend(id);
      return id;
    },
    expectDone: async (id) => {
      await expectSettled('active', true)(id);
      expect(guest(id)).toMatchObject({ starts: 1 });
    },
  },
  {
    ...common,
    state: 'deleting',
    phases: ['ensureGuestGone', 'releasePorts', 'removeRow'],
    arrange: () => world.insertRunning('deleting', { previousState: 'active' }),
    expectDone: async (id) => {
      expect(await world.read(id)).toBeUndefined();
      expect(guest(id)).toBeUndefined();
    },
    released: undefined,
  },
];

for (const each of cases) reconcilerSuite(each);

describe('the reconciler', () => {
  it('has a plan for every state with a deadline, and for no other', () => {
    const transitional = Object.entries(serverStates.states)
      .filter(([, state]) => 'deadline' in state)
      .map(([name]) => name);
    expect(Object.keys(world.reconciler.plans).sort()).toEqual(transitional.sort());
    expect(cases.map(({ state }) => state).sort()).toEqual(transitional.sort());
  });
});
