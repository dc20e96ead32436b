/** What an instance has counted since it was made. Public source: octavia, `api/v2/types/amphora.py`. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { FiguresView } from '../listeners/statistics.js';
import { NotFoundError } from '../resources/octavia.errors.js';
import type { Instance } from '../tree/instance.entity.js';

class AmphoraStatistics extends FiguresView {
  @Shown(String, "The instance's id.")
  id: string;

  @Shown(String, 'The load balancer that it runs.')
  loadbalancer_id: string;

  @Shown(String, 'The listener that counted.')
  listener_id: string;
}

export const AmphoraStatisticsList = answerClass('AmphoraStatisticsList', {
  amphora_stats: Shown([() => AmphoraStatistics], 'Of each listener.'),
});

const FIGURES = {
  bytes_in: 'bytesIn',
  bytes_out: 'bytesOut',
  active_connections: 'activeConnections',
  total_connections: 'totalConnections',
  request_errors: 'requestErrors',
};

const figures = Object.entries(FIGURES).map(
  ([name, counted]) => `'${name}', COALESCE((seen.counted ->> '${counted}')::bigint, 0)`,
);

/** @throws NotFoundError if it has no listener, as in Octavia */
export async function amphoraStatistics(
  { manager }: RequestContext,
  { id, loadBalancerId, host }: Instance,
): Promise<object[]> {
  const rows = await preparedRows<{ listenerId: string; figures: object }>(
    manager,
    `SELECT listeners.id AS "listenerId", jsonb_build_object(${figures.join(', ')}) AS figures
       FROM listeners LEFT JOIN listener_statistics AS seen
         ON seen.listener_id = listeners.id AND seen.counted ->> 'host' = $2
      WHERE listeners.load_balancer_id = $1 ORDER BY listeners.created_at, listeners.id`,
    [loadBalancerId, host],
  );
  if (rows.length === 0) throw new NotFoundError('Amphora stats for', id);
  return rows.map((row) => ({
    id,
    loadbalancer_id: loadBalancerId,
    listener_id: row.listenerId,
    ...row.figures,
  }));
}
