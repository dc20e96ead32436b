/**
 * Sums up what listeners have carried: a host begins at zero, and so does one whose process has
 * crashed; their statistics do not.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { BalancerFigures, TrafficFigures } from '../data-plane/data-plane.js';

const COUNTERS = {
  bytesIn: 'bytes_in',
  bytesOut: 'bytes_out',
  totalConnections: 'total_connections',
  requestErrors: 'request_errors',
} as const satisfies Partial<Record<keyof TrafficFigures, string>>;

const counters = Object.entries(COUNTERS);
const columns = counters.map(([, column]) => column);

/** What is beyond what the same host had counted before is new. */
const sums = counters.map(
  ([name, column]) => `${column} = old.${column} + CASE
     WHEN old.counted->>'host' = excluded.counted->>'host'
       THEN greatest(0, excluded.${column} - (old.counted->>'${name}')::bigint)
     ELSE excluded.${column} END`,
);

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

export interface Count {
  readonly loadBalancerId: string;
  readonly listenerId: string;
  readonly traffic: TrafficFigures;
}

export function countsOf(figures: ReadonlyMap<string, BalancerFigures>): Count[] {
  return [...figures].flatMap(([loadBalancerId, { listeners }]) =>
    [...listeners].map(([listenerId, traffic]) => ({ loadBalancerId, listenerId, traffic })),
  );
}

/** @returns ids of the listeners whose counts have been written; others are for the next time */
export async function countTraffic(
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
