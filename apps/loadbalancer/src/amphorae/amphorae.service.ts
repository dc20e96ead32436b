import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Query } from '@cumulet/common/resources/list-query';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { preparedRows } from '@cumulet/common/database/rows';
import { allUnder } from '@cumulet/common/http/answers';
import { Shown } from '@cumulet/common/http/shown';
import { STATISTICS_COLUMNS, TrafficView } from '../listeners/statistics.js';
import { LoadBalancersService } from '../load-balancers/load-balancers.service.js';
import { pageOfRows } from '../resources/octavia-query.js';
import { OctaviaTable } from '../resources/octavia-table.js';
import { ImmutableObjectError, NotFoundError } from '../resources/octavia.errors.js';
import { Instance } from '../tree/instance.resource.js';
import { amphoraResource } from '../tree/instance.resource.js';

/** The statistics of an instance since it was created. Public source: octavia, `api/v2/types/amphora.py`. */
class AmphoraStatistics extends TrafficView {
  @Shown(String, 'The ID of the amphora.')
  id: string;

  @Shown(String, 'The ID of the load balancer.')
  loadbalancer_id: string;

  @Shown(String, 'The ID of the listener.')
  listener_id: string;
}

export const AmphoraStatisticsList = allUnder(
  'amphora_stats',
  AmphoraStatistics,
  'The statistics of each listener.',
);

const statistics = Object.entries(STATISTICS_COLUMNS).map(
  ([counted, name]) => `'${name}', COALESCE((seen.counted ->> '${counted}')::bigint, 0)`,
);

/** @throws NotFoundError if it has no listener, as in Octavia */
export async function amphoraStatistics(
  { manager }: RequestContext,
  { id, loadBalancerId, host }: Instance,
): Promise<object[]> {
  const rows = await preparedRows<{ listenerId: string; statistics: object }>(
    manager,
    `SELECT listeners.id AS "listenerId", jsonb_build_object(${statistics.join(', ')}) AS statistics
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
    ...row.statistics,
  }));
}

const instances = new OctaviaTable(Instance, 'Amphora');

@Injectable()
export class AmphoraeService {
  constructor(private readonly loadBalancers: LoadBalancersService) {}

  list(ctx: RequestContext, query: Query): Promise<PageOfRows<Instance>> {
    return pageOfRows(ctx, { resource: amphoraResource, table: instances }, query, []);
  }

  /** @throws NotFoundError */
  get(ctx: RequestContext, id: string): Promise<Instance> {
    return instances.named(ctx, id, []);
  }

  /** Has another one take its place. @throws ImmutableObjectError while the load balancer changes */
  async failover(ctx: RequestContext, id: string): Promise<void> {
    const { loadBalancerId } = await this.get(ctx, id);
    await this.loadBalancers.failover(ctx, loadBalancerId);
  }

  /**
   * There is none that no load balancer needs.
   * @throws ImmutableObjectError
   */
  async remove(ctx: RequestContext, id: string): Promise<never> {
    await this.get(ctx, id);
    throw new ImmutableObjectError('Amphora', id);
  }
}
