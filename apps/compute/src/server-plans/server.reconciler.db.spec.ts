import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { reconcilerSuite, type ReconcilerCase } from '@cumulet/testing/reconciler-suite';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { transition } from '@cumulet/common/states/transition';
import { NicPortsService } from '../nics/nic-ports.service.js';
import { nicStates } from '../nics/nic.states.js';
import { startServerWorld, type ServerWorld } from '../servers/server-world.fixture.js';
import { migrationCases } from '../server-actions/resize/migration-cases.fixture.js';
import type { Server } from '../servers/server.entity.js';
import { SHUTTING_DOWN } from '../servers/shutdown-time.js';
import { snapshotCases } from '../server-actions/snapshots/snapshot-cases.fixture.js';
import { serverStates, type ServerEvent, type ServerState } from '../servers/server.states.js';

let world: ServerWorld;

beforeAll(async () => {
  world = await startServerWorld();
});

afterAll(async () => {
  await world.stop();
});

type Case = ReconcilerCase<Server, ServerState, ServerEvent>;

it('every state in which a guest is asked to shut down gives it time for that', () => {
  const asking = Object.entries(world.reconciler.plans).flatMap(([state, { phases }]) =>
    phases.some(({ name }) => name === 'ensureGuestShutDown') ? [state] : [],
  );
  expect([...SHUTTING_DOWN].sort()).toEqual(asking.sort());
});

/** A server's guest on the host. */
function guest(id: string): object | undefined {
  const found = world.hypervisor.world.guests.get(id);
  const gigabytes = (bytes?: number): number | undefined => bytes && bytes / 1024 ** 3;
  return (
    found && {
      state: found.state,
      starts: found.starts,
      hasDisk: found.disk !== undefined,
      hasRescueDisk: found.rescueDisk !== undefined,
      vcpus: found.startedWith?.vcpus,
      diskGb: gigabytes(found.disk?.bytes),
      keptGb: gigabytes(found.keptDisk?.bytes),
    }
  );
}

/** With its number of ports in the network. */
function withPorts(id: string): object {
  const ports = [...world.networks.stored.values()].filter(({ deviceId }) => deviceId === id);
  return { ...guest(id), ports: ports.length };
}

const common = {
  reconciler: () => world.reconciler,
  ctx: (): RequestContext => world.ctx,
  world: guest,
  expectFailed: async (id: string, stateReason: string) => {
    expect(await world.read(id)).toMatchObject({ state: 'error', stateReason });
  },
};

/** The row is in this state, and its guest accordingly. */
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

function claims(id: string): Promise<object[]> {
  return world.dataSource.query('SELECT host, vcpus FROM server_resizes WHERE server_id = $1', [
    id,
  ]);
}

/** A running server about to grow. */
async function resizing(state: ServerState): Promise<string> {
  const id = await world.insertRunning(state, { returnsTo: 'active' });
  await world.resize(id);
  return id;
}

/** A server that has grown, with its guest. */
async function resizedGuest(state: ServerState): Promise<string> {
  const id = await resizing('resizing');
  await runReconciler(world.reconciler, world.ctx, id, 0, {
    logger: createLogger('test', 'silent'),
  });
  while ((await world.read(id))?.state === 'resizing')
    await runReconciler(world.reconciler, world.ctx, id, 0, {
      logger: createLogger('test', 'silent'),
    });
  await world.dataSource.query(
    "UPDATE servers SET state = $2, state_deadline = now() + interval '5 minutes' WHERE id = $1",
    [id, state],
  );
  return id;
}

/** Server and guest have their former size. */
async function wasNotResized(id: string, stateReason: string | null): Promise<void> {
  expect(await world.read(id)).toMatchObject({ state: 'active', stateReason, vcpus: 1, diskGb: 1 });
  expect(guest(id)).toMatchObject({ state: 'running', vcpus: 1, diskGb: 1, keptGb: undefined });
  expect(await claims(id)).toEqual([]);
}

/** A running server about to boot its own image beside its disk. */
async function rescued(state: ServerState): Promise<string> {
  const id = await world.insertRunning(state);
  await world.dataSource.query('UPDATE servers SET rescue_image = image WHERE id = $1', [id]);
  return id;
}

const cases: Case[] = [
  ...snapshotCases({ world: () => world, common, guest, expectSettled }),
  ...migrationCases({ world: () => world, common, guest }),
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
    arrange: async () => world.insertNic(await world.insert('building')),
    world: withPorts,
    expectDone: async (id) => {
      await expectSettled('active', true)(id);
      expect(withPorts(id)).toMatchObject({ ports: 1 });
      expect(await world.read(id)).toMatchObject({
        adminPassword: null,
        launchedAt: expect.any(Date),
      });
    },
    expectFailed: async (id, stateReason) => {
      expect(await world.read(id)).toMatchObject({ state: 'error', stateReason, host: null });
    },
    released: { ports: 0 },
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
    state: 'resizing',
    phases: [
      'forgetOlderDisk',
      'claimRoom',
      'ensureGuestShutDown',
      'ensureGuestOff',
      'keepDisk',
      'growDisk',
      'ensurePorts',
      'ensureGuestAsBefore',
    ],
    arrange: () => resizing('resizing'),
    expectDone: async (id) => {
      expect(await world.read(id)).toMatchObject({ state: 'resized', vcpus: 2, diskGb: 2 });
      expect(guest(id)).toMatchObject({ state: 'running', vcpus: 2, diskGb: 2, keptGb: 1 });
      expect(await claims(id)).toEqual([{ host: 'host-1', vcpus: 1 }]);
    },
    expectFailed: wasNotResized,
  },
  {
    ...common,
    state: 'undoing-resize',
    phases: [
      'sendBack',
      'ensureGuestOff',
      'restoreDisk',
      'endResize',
      'forgetOtherDisks',
      'ensurePorts',
      'ensureGuestAsBefore',
    ],
    arrange: () => resizedGuest('undoing-resize'),
    expectDone: (id) => wasNotResized(id, null),
  },
  {
    ...common,
    state: 'reverting',
    phases: [
      'sendBack',
      'ensureGuestOff',
      'restoreDisk',
      'endResize',
      'forgetOtherDisks',
      'ensurePorts',
      'ensureGuestAsBefore',
    ],
    arrange: () => resizedGuest('reverting'),
    expectDone: (id) => wasNotResized(id, null),
  },
  {
    ...common,
    state: 'confirming',
    phases: ['endGuestThatIsOff', 'forgetKeptDisk', 'releaseFormerRoom'],
    arrange: () => resizedGuest('confirming'),
    expectDone: async (id) => {
      expect(await world.read(id)).toMatchObject({ state: 'active', vcpus: 2, diskGb: 2 });
      expect(guest(id)).toMatchObject({ state: 'running', diskGb: 2, keptGb: undefined });
      expect(await claims(id)).toEqual([]);
    },
  },
  {
    ...common,
    state: 'rebuilding',
    phases: [
      'ensureImages',
      'ensureGuestOff',
      'discardRescueDisk',
      'discardDisk',
      'ensureDisk',
      'ensurePorts',
      'ensureGuestAsBefore',
    ],
    arrange: () => world.insertRunning('rebuilding', { previousState: 'active' }),
    expectDone: expectSettled('active', true),
  },
  {
    ...common,
    state: 'rescuing',
    phases: [
      'ensureRescueImages',
      'ensureGuestShutDown',
      'ensureGuestOff',
      'ensureRescueDisk',
      'ensurePorts',
      'ensureGuestRunning',
      'recordLaunch',
    ],
    arrange: () => rescued('rescuing'),
    expectDone: async (id) => {
      await expectSettled('rescued', true)(id);
      expect(guest(id)).toMatchObject({ hasRescueDisk: true });
    },
  },
  {
    ...common,
    state: 'unrescuing',
    phases: ['ensureGuestOff', 'discardRescueDisk', 'ensurePorts', 'ensureGuestRunning'],
    arrange: () => world.insertRunning('unrescuing'),
    expectDone: async (id) => {
      await expectSettled('active', true)(id);
      expect(guest(id)).toMatchObject({ hasRescueDisk: false });
    },
  },
  {
    ...common,
    state: 'deleting',
    phases: ['ensureGuestGone', 'awaitAttaching', 'releasePorts', 'dropImage', 'removeRow'],
    arrange: async () =>
      world.insertNic(await world.insertRunning('deleting', { previousState: 'active' })),
    world: withPorts,
    expectDone: async (id) => {
      expect(await world.read(id)).toBeUndefined();
      expect(withPorts(id)).toEqual({ ports: 0 });
    },
    released: { ports: 0 },
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

it('leaves no port that is created for a NIC while its server is being deleted', async () => {
  const id = await world.insertNic(
    await world.insertRunning('deleting', { previousState: 'active' }),
  );
  const server = await world.read(id);
  const [nic] = await world.nics.ofServer(world.ctx, id);
  if (!server || !nic) throw new Error('a row is gone');
  await transition(world.ctx, nicStates, nic.id, 'attach');
  const run = (): Promise<string> =>
    runReconciler(world.reconciler, world.ctx, id, 0, { logger: createLogger('test', 'silent') });
  expect(await run()).toBe('waiting');
  await new NicPortsService(world.nics, world.networks).ensurePort(world.ctx, server, nic);
  expect(withPorts(id)).toEqual({ ports: 1 });
  await transition(world.ctx, nicStates, nic.id, 'plugged');
  await run();
  expect([await world.read(id), withPorts(id)]).toEqual([undefined, { ports: 0 }]);
});
