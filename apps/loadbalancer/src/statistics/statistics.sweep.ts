/**
 * Reads what runs on this host, and writes down how it is and what it has carried. What has not
 * changed costs no statement: trees are remembered for as long as nobody takes them.
 */
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Metrics } from '@cumulet/common/observe/metrics';
import { Feature } from '@cumulet/common/service/feature';
import type { LoadBalancerConfig } from '../config.js';
import {
  type BalancerStatistics,
  DATA_PLANE,
  type DataPlane,
  type TrafficStatistics,
} from '../data-plane/data-plane.js';
import { operatingStatuses, type Sight } from './operating-statuses.js';
import { changesIn, type Skeleton, skeletonsOf, writeChanges } from './skeleton.js';

/** How old statistics are that clients read, at most, besides the time that this takes. */
const LOOK_EVERY_MS = 1_000;

/** Trees are read anew after so many looks, whatever is known of them. */
const FORGET_AFTER = 30;

type Own = Pick<Skeleton, 'id' | 'state' | 'generation' | 'status'>;

@Injectable()
export class StatisticsSweep {
  readonly #trees = new Map<string, Skeleton>();
  /** The counters last written, by listener, as text. */
  readonly #counted = new Map<string, string>();
  /** Load balancers without statistics at the last look: a busy process may miss one. */
  #missing: ReadonlySet<string> = new Set();
  #looks = 0;

  constructor(
    @Inject(DATA_PLANE) private readonly dataPlane: DataPlane,
    @Inject(CONFIG) private readonly config: LoadBalancerConfig,
  ) {}

  @SweepEvery(LOOK_EVERY_MS, 'statistics', { local: true })
  async look(ctx: RequestContext): Promise<void> {
    if (this.#looks++ % FORGET_AFTER === 0) this.#trees.clear();
    const own = await preparedRows<Own>(
      ctx.manager,
      `SELECT id, state, generation, operating_status AS status FROM load_balancers
        WHERE host = $1 AND state IN ('active', 'pending_update', 'error')`,
      [this.config.host],
    );
    if (own.length === 0) return;
    const statistics = await this.dataPlane.statistics();
    await this.#count(ctx, countsOf(statistics));
    await this.#show(ctx, own, statistics);
  }

  async #count(ctx: RequestContext, counts: readonly Count[]): Promise<void> {
    const text = new Map(counts.map((one) => [one.listenerId, JSON.stringify(one)]));
    const changed = counts.filter(({ listenerId: id }) => this.#counted.get(id) !== text.get(id));
    const written = await countTraffic(ctx, this.config.host, changed);
    for (const id of written) this.#counted.set(id, text.get(id) ?? '');
    for (const id of this.#counted.keys()) if (!text.has(id)) this.#counted.delete(id);
  }

  async #show(
    ctx: RequestContext,
    own: readonly Own[],
    statistics: ReadonlyMap<string, BalancerStatistics>,
  ): Promise<void> {
    const trees = await this.#treesOf(ctx, own);
    const missing = new Set(trees.map(({ id }) => id).filter((id) => !statistics.has(id)));
    const found = trees.flatMap((tree) => {
      const sight = statistics.get(tree.id) ?? this.#withoutStatistics(tree);
      return sight === undefined ? [] : [[tree, operatingStatuses(tree, sight)] as const];
    });
    this.#missing = missing;
    const changes = changesIn(found);
    await writeChanges(ctx, changes, this.config.host);
    // They are read again, as they are then.
    for (const rows of changes.values()) for (const [, id] of rows) this.#trees.delete(id);
  }

  /** One without listeners needs nothing that runs. */
  #withoutStatistics({ id, state }: Skeleton): Sight | undefined {
    return state === 'active' && this.#missing.has(id) ? 'ended' : undefined;
  }

  async #treesOf(ctx: RequestContext, own: readonly Own[]): Promise<Skeleton[]> {
    const stale = own.filter((one) => {
      const known = this.#trees.get(one.id);
      return known?.generation !== one.generation || known.status !== one.status;
    });
    if (stale.length > 0) {
      const read = await skeletonsOf(
        ctx,
        stale.map(({ id }) => id),
      );
      for (const tree of read) this.#trees.set(tree.id, tree);
    }
    const ids = new Set(own.map(({ id }) => id));
    for (const id of this.#trees.keys()) if (!ids.has(id)) this.#trees.delete(id);
    return [...this.#trees.values()];
  }
}

const COUNTERS = {
  bytesIn: 'bytes_in',
  bytesOut: 'bytes_out',
  totalConnections: 'total_connections',
  requestErrors: 'request_errors',
} as const satisfies Partial<Record<keyof TrafficStatistics, string>>;

const counters = Object.entries(COUNTERS);
const columns = counters.map(([, column]) => column);

/** Only what exceeds the former counters of the same host is new. */
const sums = counters.map(
  ([name, column]) => `${column} = old.${column} + CASE
     WHEN old.counted->>'host' = excluded.counted->>'host'
       THEN greatest(0, excluded.${column} - (old.counted->>'${name}')::bigint)
     ELSE excluded.${column} END`,
);

/**
 * A host begins at zero, and so does one whose process has crashed; the statistics of listeners, which
 * sum up what they have carried, do not.
 */
const COUNT = `
  WITH held AS (
    SELECT id FROM load_balancers WHERE id = ANY($1) AND host = $2
       FOR NO KEY UPDATE SKIP LOCKED)
  INSERT INTO listener_statistics AS old
    (listener_id, load_balancer_id, ${columns.join(', ')}, active_connections, counted)
  SELECT listeners.id, load_balancer_id,
         ${counters.map(([name]) => `(counted->>'${name}')::bigint`).join(', ')},
         (counted->>'activeConnections')::bigint, counted
    FROM jsonb_to_recordset($3) AS new (id uuid, counted jsonb)
    JOIN listeners ON listeners.id = new.id
   WHERE load_balancer_id IN (SELECT id FROM held)
   ORDER BY listeners.id
  ON CONFLICT (listener_id) DO UPDATE SET ${sums.join(', ')},
    active_connections = excluded.active_connections, counted = excluded.counted
  RETURNING listener_id AS "listenerId"`;

interface Count {
  readonly loadBalancerId: string;
  readonly listenerId: string;
  readonly traffic: TrafficStatistics;
}

function countsOf(statistics: ReadonlyMap<string, BalancerStatistics>): Count[] {
  return [...statistics].flatMap(([loadBalancerId, { listeners }]) =>
    [...listeners].map(([listenerId, traffic]) => ({ loadBalancerId, listenerId, traffic })),
  );
}

/** @returns ids of the listeners whose counts have been written; others are for the next time */
async function countTraffic(
  { manager }: RequestContext,
  host: string,
  counts: readonly Count[],
): Promise<string[]> {
  if (counts.length === 0) return [];
  const ids = [...new Set(counts.map(({ loadBalancerId }) => loadBalancerId))];
  const rows = counts.map(({ listenerId: id, traffic }) => ({
    id,
    counted: { host, ...traffic },
  }));
  const written = await preparedRows<{ listenerId: string }>(manager, COUNT, [
    ids,
    host,
    JSON.stringify(rows),
  ]);
  return written.map(({ listenerId }) => listenerId);
}

interface Counted {
  readonly provisioning_status: string;
  readonly operating_status: string;
  readonly count: number;
}

/** How load balancers are, for who operates them. */
@Injectable()
export class StatusMetrics {
  constructor(metrics: Metrics, @Inject(DataSource) dataSource: DataSource) {
    metrics.gauge(
      'load_balancers',
      'Load balancers by their statuses.',
      ['provisioning_status', 'operating_status'],
      async () => {
        const rows: Counted[] = await dataSource.query(
          `SELECT upper(state) AS provisioning_status, operating_status, count(*)::int AS count
             FROM load_balancers GROUP BY 1, 2`,
        );
        return rows.map(({ count: value, ...labels }) => ({ labels: { ...labels }, value }));
      },
    );
  }
}

@Feature({ providers: [StatisticsSweep, StatusMetrics] })
export class StatisticsModule {}
