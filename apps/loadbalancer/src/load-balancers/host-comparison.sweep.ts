/** Compares what runs on this host with the rows, and repairs both ways. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { LoadBalancerConfig } from '../config.js';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import { IS_UP } from '../hosts/host.entity.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { applyAgain } from '../tree/take-tree.js';

type Settled = Pick<LoadBalancer, 'id' | 'host' | 'state' | 'generation'>;

@Injectable()
export class HostComparison {
  /** Whether this is the first comparison since the start: what is missing went with the machine. */
  #justStarted = true;

  constructor(
    @Inject(DATA_PLANE) private readonly dataPlane: DataPlane,
    @Inject(CONFIG) private readonly config: LoadBalancerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @SweepEvery(5_000, 'compare', { local: true })
  async compare(ctx: RequestContext): Promise<void> {
    // What runs first: its row was here before it.
    const items = await this.dataPlane.inventory();
    const failures = await this.#removeStrangers(
      ctx,
      items.map(({ id }) => id),
    );
    const whole = items.filter(({ isWhole }) => isWhole);
    await this.#applyAgain(ctx, new Set(whole.map(({ id }) => id)));
    await noteWatched(ctx, this.config.host);
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} load balancers could not be removed`);
  }

  /**
   * What other hosts have taken over goes once they are at it: until then it may still be of use. So
   * it does if this host has been renamed.
   * @returns what went wrong; a failure with one does not stop the others
   */
  async #removeStrangers(ctx: RequestContext, ids: readonly string[]): Promise<unknown[]> {
    const strangers = await preparedRows<{ id: string }>(
      ctx.manager,
      `SELECT id FROM unnest($1::uuid[]) AS here (id)
        WHERE NOT EXISTS (
          SELECT FROM load_balancers AS one LEFT JOIN hosts ON hosts.name = one.host
           WHERE one.id = here.id AND (one.host = $2 OR NOT coalesce(${IS_UP}, false)))`,
      [ids, this.config.host],
    );
    const failures: unknown[] = [];
    for (const { id } of strangers) {
      this.logger.warn(
        { loadBalancer: id },
        'removing a load balancer that does not belong to this host',
      );
      await this.dataPlane.remove(id).catch((error: unknown) => failures.push(error));
    }
    return failures;
  }

  /**
   * One that is broken is left to its next change; but with the machine, what it was before that
   * went wrong is gone as well.
   */
  async #applyAgain(ctx: RequestContext, whole: ReadonlySet<string>): Promise<void> {
    const rows = await preparedRows<Settled>(
      ctx.manager,
      `SELECT id, host, state, generation FROM load_balancers WHERE host = $1 AND state = ANY($2)`,
      [this.config.host, this.#justStarted ? ['active', 'error'] : ['active']],
    );
    for (const row of rows)
      if (!whole.has(row.id) && (await applyAgain(ctx, row, 'It was no longer running.')))
        this.logger.warn(
          { loadBalancer: row.id },
          'a load balancer did not run, and is applied again',
        );
    this.#justStarted = false;
  }
}

/** The host is back, and sees for itself how they are. Those with the lower ids come first, as in `noteDown`. */
async function noteWatched(ctx: RequestContext, host: string): Promise<void> {
  await preparedRows(
    ctx.manager,
    `UPDATE load_balancers SET state_reason = NULL
      WHERE id IN (SELECT id FROM load_balancers
                    WHERE host = $1 AND state = 'active' AND state_reason IS NOT NULL
                    ORDER BY id FOR NO KEY UPDATE)`,
    [host],
  );
}
