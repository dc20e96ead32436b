/** Cases of the reconciler's suite: servers that move to another host. */
import { expect } from '@jest/globals';
import type { Phase, Reconciler } from '@cumulet/common/reconcile/reconciler';
import { SimulatedHypervisor } from '../../hypervisor/simulated-hypervisor.js';
import type { ServerPlans } from '../../server-plans/server-phases.js';
import type { Server } from '../../servers/server.entity.js';
import type { ServerEvent, ServerState } from '../../servers/server.states.js';
import type { SnapshotSuite } from '../snapshots/snapshot-cases.fixture.js';
import type { ReconcilerCase } from '@cumulet/testing/reconciler-suite';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { migrationImageOf } from '../../server-plans/resize-room.js';
import { ServerResizes } from '../../server-plans/server-resizes.js';

type Case = ReconcilerCase<Server, ServerState, ServerEvent>;
type OfServers = Reconciler<Server, ServerState, ServerEvent>;

const OTHER = 'host-2';

export function migrationCases({
  world,
  common,
  guest,
}: Pick<SnapshotSuite, 'world' | 'common' | 'guest'>): Case[] {
  const there = new SimulatedHypervisor();
  let both: OfServers | undefined;
  const reconciler = (): OfServers =>
    (both ??= byHost(world().reconciler, world().reconcilerOf(OTHER, there)));

  /** A running server about to move to a host with room. */
  async function migrating(): Promise<string> {
    const id = await world().insertRunning('migrating', {
      returnsTo: 'active',
      localDisks: [{ sizeMb: 1024, format: 'ext4' }],
    });
    const server = await world().read(id);
    if (!server) throw new Error('the server is gone');
    const { flavor, vcpus, memoryMb, diskGb, localDisks } = server;
    const resizes = new ServerResizes();
    await resizes.begin(world().ctx, server, { flavor, vcpus, memoryMb, diskGb, localDisks });
    await resizes.claim(world().ctx, id, OTHER);
    await world().dataSource.query('UPDATE servers SET snapshot = $2 WHERE id = $1', [
      id,
      JSON.stringify(migrationImageOf(server)),
    ]);
    return id;
  }

  async function arriving(): Promise<string> {
    const id = await migrating();
    const logger = createLogger('test', 'silent');
    while ((await world().read(id))?.state === 'migrating')
      await runReconciler(reconciler(), world().ctx, id, 0, { logger });
    return id;
  }

  const halves = (id: string): Promise<unknown> =>
    world().dataSource.query(
      `SELECT servers.host, other.host AS former FROM servers
         JOIN server_resizes AS other ON server_id = id WHERE id = $1`,
      [id],
    );

  const expectDone = async (id: string): Promise<void> => {
    expect(await world().read(id)).toMatchObject({ state: 'resized', stateReason: null });
    expect(await halves(id)).toEqual([{ host: OTHER, former: 'host-1' }]);
    expect(guest(id)).toMatchObject({ state: 'absent', hasDisk: true });
    expect(there.world.guest(id)).toMatchObject({
      state: 'running',
      starts: 1,
      localDisks: { 0: { sizeMb: 1024, content: expect.any(String) } },
    });
  };
  const expectFailed = async (id: string, stateReason: string): Promise<void> => {
    expect(await world().read(id)).toMatchObject({ state: 'active', host: 'host-1', stateReason });
    expect(guest(id)).toMatchObject({ state: 'running', hasDisk: true });
    expect(there.world.guests.has(id)).toBe(false);
    expect(await halves(id)).toEqual([]);
  };
  const each = { ...common, reconciler, expectDone, expectFailed };
  return [
    {
      ...each,
      state: 'migrating',
      phases: [
        'ensureGuestShutDown',
        'ensureGuestOff',
        'ensureImageMade',
        'ensureDiskCopied',
        'ensureCopyUploaded',
        'recordImage',
        'removeCopy',
        'handOver',
      ],
      arrange: migrating,
    },
    {
      ...each,
      state: 'arriving',
      phases: [
        'ensureImages',
        'ensureCarriedImages',
        'ensureDisk',
        'ensurePorts',
        'ensureGuestAsBefore',
      ],
      arrange: arriving,
    },
  ];
}

/** As if each host's worker had taken the jobs of its own servers. */
function byHost(here: OfServers, there: OfServers): OfServers {
  const of = ({ host }: Server, state: ServerState): ServerPlans[ServerState] =>
    (host === OTHER ? there : here).plans[state];
  const delegated = (state: ServerState, list: 'phases' | 'release'): Phase<Server>[] =>
    (here.plans[state]?.[list] ?? []).map(({ name }, at) => ({
      name,
      run: async (scope) => of(scope.row, state)?.[list]?.[at]?.run(scope),
    }));
  const plans = Object.entries(here.plans).map(([name, plan]) => {
    const state = name as ServerState;
    return [
      state,
      { ...plan, phases: delegated(state, 'phases'), release: delegated(state, 'release') },
    ];
  });
  return {
    states: here.states,
    taskOf: (row) => here.taskOf(row),
    load: (ctx, id) => here.load(ctx, id),
    plans: Object.fromEntries(plans) as ServerPlans,
    ended: async (...end) => here.ended?.(...end),
  };
}
