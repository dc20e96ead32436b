import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { isInHand } from '@cumulet/common/jobs/job.repository';
import { failureOfPlan } from '@cumulet/common/reconcile/end-plan';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import { oneOf, type Condition } from '@cumulet/common/tables/condition';
import type { ComputeConfig } from '../config.js';
import { Placement } from '../scheduler/placement.js';
import type { Server } from '../servers/server.entity.js';
import { ServerReconciler } from '../server-plans/server.reconciler.js';
import { ServerRepository } from '../servers/server.repository.js';
import {
  serverStates,
  type ServerEvent,
  type ServerState,
  TRANSITIONAL_STATES,
} from '../servers/server.states.js';
import { nudgeUnplaced } from '../servers/server.tasks.js';
import { leaveGuestBehind } from '../server-migrations/leftover-guests.js';
import { IS_UP } from '../hosts/host.entity.js';

const REASON = 'The host went down.';

const GOING_BACK: readonly ServerState[] = ['undoing-resize', 'reverting'];

/** Its former host still has it, and needs nothing of the dead one to go on. */
const HAS_LEFT_ANOTHER: Condition = () =>
  `EXISTS (SELECT FROM server_resizes AS former
            WHERE server_id = servers.id AND is_former AND former.host <> servers.host)`;

async function undoArrival(ctx: RequestContext, { id, generation }: Server): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const only = { generation };
    await transition(tx, serverStates, id, 'undo-resize', { only, reason: REASON });
    await nudgeUnplaced(tx, { id });
  }).catch((error: unknown) => {
    if (!(error instanceof SupersededError)) throw error;
  });
}

/**
 * What goes on without the host; and what must be done with the disk that it keeps of a resize, which
 * waits for it: a later resize would take that for its own.
 */
const GOES_ON: readonly ServerState[] = [
  'deleting',
  'building',
  'arriving',
  'undoing-resize',
  'reverting',
  'confirming',
];
const ENDS = TRANSITIONAL_STATES.filter((state) => !GOES_ON.includes(state));

/** No worker has it in hand but those that were found dead (jobs/liveness.ts). */
const IN_NO_HAND: Condition = () => `NOT ${isInHand("'server'", 'servers.id')}`;

/**
 * Goes on with what hosts left undone that are down, or ends it: their own workers, which alone take
 * the jobs of their servers, are gone.
 */
@Injectable()
export class DeadHostsSweep {
  /** What was to be ended at the last look, by id and generation. */
  #suspects: ReadonlySet<string> = new Set();

  constructor(
    private readonly servers: ServerRepository,
    private readonly placement: Placement,
    private readonly reconciler: ServerReconciler,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  @SweepEvery(5_000, 'dead-hosts')
  async sweep(ctx: RequestContext): Promise<void> {
    for (const server of await this.#onDeadHosts(ctx, ['deleting']))
      await nudgeUnplaced(ctx, server);
    for (const server of await this.#onDeadHosts(ctx, ['arriving'], HAS_LEFT_ANOTHER))
      await undoArrival(ctx, server);
    for (const server of await this.#onDeadHosts(ctx, GOING_BACK, HAS_LEFT_ANOTHER))
      await nudgeUnplaced(ctx, server);
    for (const server of await this.#onDeadHosts(ctx, ['building']))
      await this.placement.tryNextHost(ctx, server, REASON, { isAway: true });
    await this.#endWork(ctx);
  }

  /**
   * A host whose process lives seems down right after Postgres was away: only what is still so at the
   * second look in a row, five seconds later, is ended. This process lives, whatever is said of its host.
   */
  async #endWork(ctx: RequestContext): Promise<void> {
    const found = await this.#onDeadHosts(ctx, ENDS, IN_NO_HAND);
    const abandoned = found.filter(({ host }) => host !== this.config.host);
    const suspects = this.#suspects;
    this.#suspects = new Set(abandoned.map(signOf));
    for (const server of abandoned) {
      if (!suspects.has(signOf(server))) continue;
      await this.#end(ctx, server).catch((error: unknown) => {
        if (!(error instanceof SupersededError)) throw error;
      });
    }
  }

  /** As the plan's failure does, but for what only the host could release: its agent does, once back. */
  async #end(ctx: RequestContext, server: Server): Promise<void> {
    const { id, host, state, generation, snapshot } = server;
    const event = failureOfPlan(this.reconciler, state) as ServerEvent;
    // It goes back to what it was without a host.
    const leaves = state === 'unshelving' && host !== null;
    await inTransaction(ctx, async (tx) => {
      await transition(tx, serverStates, id, event, {
        only: { generation },
        reason: REASON,
        // The sweep of left snapshots removes what is not whole of it.
        set: { snapshot, ...(leaves ? { host: null } : {}) },
      });
      if (leaves) await leaveGuestBehind(tx, host, id);
      await this.reconciler.ended(tx, id, event);
    });
  }

  #onDeadHosts(
    ctx: RequestContext,
    states: readonly ServerState[],
    ...more: Condition[]
  ): Promise<Server[]> {
    return this.servers.select(ctx, [
      ...more,
      oneOf('state', states),
      (_, column) => `${column('host')} IN (SELECT name FROM hosts WHERE NOT ${IS_UP})`,
    ]);
  }
}

function signOf({ id, generation }: Server): string {
  return `${id}:${generation}`;
}
