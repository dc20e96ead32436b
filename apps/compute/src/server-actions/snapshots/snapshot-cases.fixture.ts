/** Cases of the reconciler's suite: snapshots and shelved servers. */
import { expect } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import type { ReconcilerCase } from '@cumulet/testing/reconciler-suite';
import type { Server } from '../../servers/server.entity.js';
import type { ServerEvent, ServerState } from '../../servers/server.states.js';
import type { ServerWorld } from '../../servers/server-world.fixture.js';
import { snapshotOf, type Snapshot } from '../../servers/snapshots/snapshot.js';

type Case = ReconcilerCase<Server, ServerState, ServerEvent>;

export interface SnapshotSuite {
  readonly world: () => ServerWorld;
  readonly common: Pick<Case, 'reconciler' | 'ctx' | 'world' | 'expectFailed'>;
  /** A server's guest on the host. */
  readonly guest: (id: string) => object | undefined;
  readonly expectSettled: (state: ServerState, running: boolean) => (id: string) => Promise<void>;
}

export function snapshotCases({ world, common, guest, expectSettled }: SnapshotSuite): Case[] {
  const SNAPSHOT_PHASES = ['ensureImageMade', 'ensureDiskCopied', 'ensureCopyUploaded'];

  /** The status of a server's snapshot, and the number of copies on its host. */
  function imageOf(id: string): { readonly status: string | undefined; readonly copies: number } {
    const made = [...world().images.made.values()].find(
      (one) => one.properties['instance_uuid'] === id,
    );
    const copies = world().hypervisor.world.guests.get(id)?.copies ?? {};
    return {
      status: made && world().images.statusOf(made.id),
      copies: Object.keys(copies).length,
    };
  }

  /** Inserts a server whose disk is to become an image. */
  async function withSnapshot(
    state: ServerState,
    options: Partial<Pick<Snapshot, 'isShelved'>> & { readonly runs?: boolean },
  ): Promise<string> {
    const { runs = false, isShelved = false } = options;
    const id = await world().insertRunning(state);
    if (!runs) await world().hypervisor.machines.powerOff(id);
    const server = await world().read(id);
    if (!server) throw new Error('the server is gone');
    const snapshot = snapshotOf(world().ctx, server, undefined, { name: 'copy', isShelved });
    await world().dataSource.query('UPDATE servers SET snapshot = $2 WHERE id = $1', [
      id,
      JSON.stringify(snapshot),
    ]);
    return id;
  }

  /** A snapshot that ends in this state, with or without an image. */
  const snapshotCase = (state: ServerState, end: ServerState, runs: boolean): Case => ({
    ...common,
    state,
    phases: [...SNAPSHOT_PHASES, 'removeCopy', 'removeOldBackups'],
    arrange: () => withSnapshot(state, { runs }),
    expectDone: async (id) => {
      expect(await world().read(id)).toMatchObject({
        state: end,
        snapshot: null,
        stateReason: null,
      });
      expect(imageOf(id)).toEqual({ status: 'active', copies: 0 });
      expect(guest(id)).toMatchObject({ state: runs ? 'running' : 'absent' });
    },
    expectFailed: async (id, stateReason) => {
      expect(await world().read(id)).toMatchObject({ state: end, snapshot: null, stateReason });
      // A complete image stays, even if something later fails.
      expect(imageOf(id).status).not.toBe('queued');
      expect(imageOf(id).copies).toBe(0);
      expect(guest(id)).toMatchObject({ state: runs ? 'running' : 'absent' });
    },
  });

  const shelveCase = (state: ServerState, back: ServerState, runs: boolean): Case => ({
    ...common,
    state,
    phases: [
      ...(runs ? ['ensureGuestShutDown', 'ensureGuestOff'] : []),
      ...SNAPSHOT_PHASES,
      'recordImage',
      'removeCopy',
    ],
    arrange: () => withSnapshot(state, { runs, isShelved: true }),
    expectDone: async (id) => {
      const row = await world().read(id);
      expect(row).toMatchObject({ state: 'shelved-offloaded', host: null });
      expect(row?.snapshot?.bootImage).toMatchObject({ id: row?.snapshot?.image.id });
      expect(imageOf(id)).toEqual({ status: 'active', copies: 0 });
      expect(guest(id)).toBeUndefined();
    },
    expectFailed: async (id, stateReason) => {
      expect(await world().read(id)).toMatchObject({ state: back, snapshot: null, stateReason });
      expect(imageOf(id)).toEqual({ status: undefined, copies: 0 });
      expect(guest(id)).toMatchObject({ state: runs ? 'running' : 'absent', hasDisk: true });
    },
  });

  /** Inserts a shelved server with its image, and then sets the state. */
  async function shelvedAs(state: ServerState, placed: boolean): Promise<string> {
    const id = await withSnapshot('shelving-stopped', { isShelved: true });
    const logger = createLogger('test', 'silent');
    await runReconciler(world().reconciler, world().ctx, id, 0, { logger });
    await world().dataSource.query(
      `UPDATE servers SET state = $2, state_deadline = now() + interval '5 minutes',
              image = snapshot->'bootImage', host = CASE WHEN $3 THEN 'host-1' END WHERE id = $1`,
      [id, state, placed],
    );
    return id;
  }

  return [
    snapshotCase('snapshotting', 'active', true),
    snapshotCase('snapshotting-stopped', 'stopped', false),
    snapshotCase('snapshotting-paused', 'paused', true),
    snapshotCase('snapshotting-suspended', 'suspended', false),
    shelveCase('shelving', 'active', true),
    shelveCase('shelving-stopped', 'stopped', false),
    shelveCase('shelving-suspended', 'suspended', false),
    {
      ...common,
      state: 'offloading',
      phases: ['ensureGuestGone', 'releaseRoom'],
      arrange: () => withSnapshot('offloading', { isShelved: true }),
      expectDone: async (id) => {
        expect(await world().read(id)).toMatchObject({ state: 'shelved-offloaded', host: null });
        expect(guest(id)).toBeUndefined();
      },
    },
    {
      ...common,
      state: 'unshelve-scheduling',
      phases: ['choosePlace'],
      arrange: () => shelvedAs('unshelve-scheduling', false),
      expectDone: expectSettled('active', true),
    },
    {
      ...common,
      state: 'unshelving',
      phases: ['ensurePorts', 'ensureImages', 'ensureDisk', 'ensureGuestRunning'],
      arrange: () => shelvedAs('unshelving', true),
      expectDone: expectSettled('active', true),
      expectFailed: async (id, stateReason) => {
        // Nothing is lost: it can be unshelved again.
        expect(imageOf(id).status).toBe('active');
        expect(await world().read(id)).toMatchObject({
          state: 'shelved-offloaded',
          host: null,
          stateReason,
          snapshot: { isShelved: true },
        });
      },
      released: undefined,
    },
    {
      ...common,
      state: 'unshelving-here',
      phases: ['ensurePorts', 'ensureGuestRunning'],
      arrange: () => withSnapshot('unshelving-here', { isShelved: true }),
      expectDone: expectSettled('active', true),
      expectFailed: async (id, stateReason) => {
        expect(await world().read(id)).toMatchObject({ state: 'shelved', stateReason });
        expect(guest(id)).toMatchObject({ state: 'absent', hasDisk: true });
      },
    },
  ];
}
