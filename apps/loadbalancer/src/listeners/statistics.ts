/** The statistics of listeners. Public source: Load Balancer API v2 reference, "statistics". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { shownUnder } from '@cumulet/common/http/answers';
import { Shown } from '@cumulet/common/http/shown';
import type { TrafficStatistics } from '../data-plane/data-plane.js';

export abstract class TrafficView {
  @Shown('integer', 'Bytes received from clients.')
  bytes_in: number;

  @Shown('integer', 'Bytes sent to clients.')
  bytes_out: number;

  @Shown('integer', 'Open connections.')
  active_connections: number;

  @Shown('integer', 'Connections handled so far.')
  total_connections: number;

  @Shown('integer', 'Requests that could not be fulfilled.')
  request_errors: number;
}

class TrafficStatisticsView extends TrafficView {}

export const StatisticsView = shownUnder('stats', TrafficStatisticsView);

/** Their columns, by the names that data planes have for them. */
export const STATISTICS_COLUMNS = {
  bytesIn: 'bytes_in',
  bytesOut: 'bytes_out',
  activeConnections: 'active_connections',
  totalConnections: 'total_connections',
  requestErrors: 'request_errors',
} as const satisfies Record<keyof TrafficStatistics, string>;

const columns = Object.values(STATISTICS_COLUMNS);

const sums = columns.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ');

/** The statistics of a listener, or of all listeners of a load balancer. */
export async function statisticsOf(
  { manager }: RequestContext,
  of: { readonly listenerId: string } | { readonly loadBalancerId: string },
): Promise<object> {
  const [column, id] =
    'listenerId' in of ? ['listener_id', of.listenerId] : ['load_balancer_id', of.loadBalancerId];
  const [row] = await preparedRows<Record<string, string>>(
    manager,
    `SELECT ${sums} FROM listener_statistics WHERE ${column} = $1`,
    [id],
  );
  const stats = columns.map((name) => [name, Number(row?.[name] ?? 0)] as const);
  return { stats: Object.fromEntries(stats) as unknown as TrafficStatisticsView };
}
