/**
 * Takes the load balancers of dead hosts away from them, so that others run them. Every process
 * looks for itself, as the one that would lead may be what died; of two that find the same, one wins.
 *
 * A dead host is one without its agent: what it ran may run on. Once it is back, it removes what is
 * no longer its own (host-comparison.sweep.ts).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { Logger } from 'pino';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { HeartbeatWatch } from '@cumulet/common/hosts/heartbeats';
import { dropJobs } from '@cumulet/common/jobs/nudge';
import { Metrics } from '@cumulet/common/observe/metrics';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';
import { amend, SupersededError, transition } from '@cumulet/common/states/transition';
import { IS_UP, mayHave, SILENCE_SECONDS } from '../hosts/host.entity.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { loadBalancerStates } from '../tree/load-balancer.states.js';
import { nudgeLoadBalancer, taskOfHost } from '../tree/take-tree.js';

const LOOK_EVERY_MS = 2_000;

/** Looks further apart than this are no watch: the process hung, or Postgres was away. */
const GAP_MS = 5_000;

type Lost = Pick<LoadBalancer, 'id' | 'state' | 'generation'>;

@Injectable()
export class TakeoverSweep {
  readonly #watch = new HeartbeatWatch(SILENCE_SECONDS * 1_000, GAP_MS);
  readonly #takeovers: Counter;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.#takeovers = metrics.counter(
      'load_balancer_takeovers_total',
      'Load balancers that this process moved away from dead hosts.',
    );
  }

  @SweepEvery(LOOK_EVERY_MS, 'takeover', { local: true, everywhere: true })
  sweep(ctx: RequestContext): Promise<void> {
    return this.lookAt(ctx, performance.now());
  }

  /** @param now milliseconds of a clock that is never set */
  async lookAt(ctx: RequestContext, now: number): Promise<void> {
    const hosts = await preparedRows<{ name: string; beat: string; isUp: boolean }>(
      ctx.manager,
      `SELECT name, seen_at::text AS beat, ${IS_UP} AS "isUp" FROM hosts`,
    );
    const beats = new Map(hosts.map(({ name, beat }) => [name, beat]));
    for (const dead of this.#watch.look(beats, now)) {
      const isOtherUp = hosts.some(({ name, isUp }) => isUp && name !== dead);
      if (isOtherUp) await this.#takeAll(ctx, dead);
      await noteUnwatched(ctx, dead);
    }
  }

  /** But for those that none of the others may have, if they are to stay. */
  async #takeAll(ctx: RequestContext, host: string): Promise<void> {
    const rows = await preparedRows<Lost>(
      ctx.manager,
      `SELECT id, state, generation FROM load_balancers
        WHERE host = $1 AND (state = 'pending_delete' OR EXISTS (
          SELECT FROM hosts WHERE name <> $1 AND ${IS_UP} AND ${mayHave('load_balancers.id')}))
        ORDER BY created_at, id`,
      [host],
    );
    if (rows.length === 0) return;
    let taken = 0;
    for (const row of rows) if (await this.#take(ctx, host, row)) taken += 1;
    this.#takeovers.inc(taken);
    this.logger.warn({ host, taken }, 'took load balancers away from a dead host');
  }

  /** @returns whether nobody else did, or changed it meanwhile */
  async #take(ctx: RequestContext, host: string, row: Lost): Promise<boolean> {
    const { id, state, generation } = row;
    const change = { only: { generation, host }, set: { host: null } };
    try {
      await inTransaction(ctx, async (tx) => {
        // It goes on being deleted, with as much time as it had.
        if (state === 'pending_delete') await amend(tx, loadBalancerStates, id, change);
        else
          await transition(tx, loadBalancerStates, id, 'lose', { ...change, reason: HOST_IS_DOWN });
        await noteDown(tx, [id]);
        // Also those that the dead worker has in hand: what comes next would wait for them.
        await dropJobs(tx, taskOfHost(host), id);
        await nudgeLoadBalancer(tx, { id, host: null });
      });
      return true;
    } catch (error) {
      if (error instanceof SupersededError) return false;
      throw error;
    }
  }
}

/** Why the load balancers of a dead host are down, for their owners. */
export const HOST_IS_DOWN = 'The host that ran it went down.';

/**
 * No client reaches them. What is switched off stays OFFLINE; of members nothing new is known. Each
 * process writes it: load balancers before their parts, and of either those with the lower ids first.
 */
export async function noteDown(ctx: RequestContext, ids: readonly string[]): Promise<void> {
  await preparedRows(
    ctx.manager,
    `UPDATE load_balancers SET operating_status = 'ERROR'
      WHERE id IN (SELECT id FROM load_balancers
                    WHERE id = ANY($1) AND admin_state_up AND operating_status <> 'ERROR'
                    ORDER BY id FOR NO KEY UPDATE)`,
    [ids],
  );
  await preparedRows(
    ctx.manager,
    `UPDATE listeners SET operating_status = 'ERROR'
      WHERE id IN (SELECT id FROM listeners
                    WHERE load_balancer_id = ANY($1) AND admin_state_up
                      AND operating_status <> 'ERROR'
                    ORDER BY id FOR NO KEY UPDATE)`,
    [ids],
  );
}

/** Load balancers stay with a dead host if no other is up: it may come back. */
async function noteUnwatched(ctx: RequestContext, host: string): Promise<void> {
  const rows = await preparedRows<{ id: string }>(
    ctx.manager,
    `UPDATE load_balancers SET state_reason = $2
      WHERE id IN (SELECT id FROM load_balancers
                    WHERE host = $1 AND state = 'active' AND state_reason IS DISTINCT FROM $2
                    ORDER BY id FOR NO KEY UPDATE)
      RETURNING id`,
    [host, HOST_IS_DOWN],
  );
  if (rows.length > 0)
    await noteDown(
      ctx,
      rows.map(({ id }) => id),
    );
}
