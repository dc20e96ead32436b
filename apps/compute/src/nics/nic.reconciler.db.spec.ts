import { afterAll, beforeAll, expect } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { transition } from '@cumulet/common/states/transition';
import { reconcilerSuite, type ReconcilerCase } from '@cumulet/testing/reconciler-suite';
import { testComputeConfig } from '../compute.fixture.js';
import { startServerWorld, type ServerWorld } from '../servers/server-world.fixture.js';
import type { Nic } from './nic.entity.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicReconciler } from './nic.reconciler.js';
import { nicStates, type NicEvent, type NicState } from './nic.states.js';

let world: ServerWorld;
let ports: NicPortsService;
let reconciler: NicReconciler;
let networkId: string;
/** By NIC. */
const servers = new Map<string, string>();

beforeAll(async () => {
  world = await startServerWorld();
  networkId = world.networks.add().id;
  ports = new NicPortsService(world.nics, world.networks);
  reconciler = new NicReconciler(
    world.nics,
    world.servers,
    ports,
    world.hypervisor,
    testComputeConfig('postgres://nowhere/compute'),
  );
});
afterAll(() => world.stop());

type Case = ReconcilerCase<Nic, NicState, NicEvent>;

const read = (id: string): Promise<Nic | undefined> => world.nics.find(world.ctx, id);

/** A NIC's ports in the network, and NICs in the guest. */
function resourcesOf(id: string): { readonly ports: number; readonly nics: number } {
  const server = servers.get(id) ?? '';
  const own = [...world.networks.stored.values()].filter(({ deviceId }) => deviceId === server);
  const nics = world.hypervisor.world.guests.get(server)?.nics ?? [];
  return { ports: own.length, nics: nics.length };
}

/** A NIC about to be attached to a running server. */
async function attaching(): Promise<string> {
  const server = await world.insertRunning('active');
  const wanted = { networkId, portId: null, address: null, groupIds: null, tag: null };
  const [nic] = await world.nics.insertRequested(world.ctx, { id: asId(server) }, [wanted]);
  if (!nic) throw new Error('no row was inserted');
  await transition(world.ctx, nicStates, nic.id, 'attach', { set: { host: 'host-1' } });
  servers.set(nic.id, server);
  return nic.id;
}

/** An attached NIC, after the events. */
async function attached(...events: NicEvent[]): Promise<string> {
  const id = await attaching();
  for (const { run } of reconciler.plans.attaching?.phases ?? []) {
    const row = await read(id);
    if (row) await run({ ctx: world.ctx, row, signal: new AbortController().signal });
  }
  for (const event of ['plugged', ...events] as const)
    await transition(world.ctx, nicStates, id, event);
  return id;
}

const NOTHING = { ports: 0, nics: 0 };
const common = { reconciler: () => reconciler, ctx: () => world.ctx, world: resourcesOf };

const expectGone = async (id: string): Promise<void> => {
  expect([await read(id), resourcesOf(id)]).toEqual([undefined, NOTHING]);
};

const expectAttached = async (id: string): Promise<void> => {
  expect(await read(id)).toMatchObject({ state: 'attached', host: 'host-1', networkId });
  expect(resourcesOf(id)).toEqual({ ports: 1, nics: 1 });
};

const cases: Case[] = [
  {
    ...common,
    state: 'attaching',
    phases: ['ensurePort', 'ensureBound', 'plug'],
    arrange: attaching,
    expectDone: expectAttached,
    expectFailed: expectGone,
    released: NOTHING,
  },
  {
    ...common,
    state: 'refreshing',
    phases: ['refresh'],
    arrange: () => attached('look'),
    expectDone: expectAttached,
    expectFailed: expectAttached,
  },
  {
    ...common,
    state: 'detaching',
    phases: ['unplug'],
    arrange: () => attached('detach'),
    expectDone: expectGone,
    expectFailed: async (id, stateReason) => {
      expect(await read(id)).toMatchObject({ state: 'attached', stateReason });
    },
  },
  {
    ...common,
    state: 'releasing',
    phases: ['unplugAtLast', 'releasePort', 'removeRow'],
    arrange: () => attached('detach', 'unplugged'),
    expectDone: expectGone,
    expectFailed: expectGone,
  },
];

for (const each of cases) reconcilerSuite(each);
