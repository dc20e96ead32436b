import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { conflict } from '@cumulet/common/errors/domain-error';
import { PartService, type Ancestors } from '../parts/part.service.js';
import { OctaviaTable } from '../resources/octavia-table.js';
import { HealthMonitor } from '../tree/health-monitor.resource.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { listenersOf, pools } from '../tree/pool.entity.js';
import {
  healthMonitorResource,
  type HealthMonitorAttributes,
  type HealthMonitorChange,
  type NewHealthMonitor,
} from '../tree/health-monitor.resource.js';
import { httpColumns, requireMonitorFor } from './monitor-rules.js';

/** Public source: octavia, `common/exceptions.py`. */
class DuplicateHealthMonitorError extends conflict('This pool already has a health monitor') {}

const healthMonitors = new OctaviaTable(HealthMonitor, 'HealthMonitor', {
  health_monitors_pool_key: () => new DuplicateHealthMonitorError(),
});

@Injectable()
export class HealthMonitorsService extends PartService<HealthMonitor, HealthMonitorAttributes> {
  protected readonly resource = healthMonitorResource;
  protected readonly table = healthMonitors;
  protected readonly kind = 'health_monitors';
  protected readonly quota = 'healthmonitor';

  async insertSubtree(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    body: NewHealthMonitor,
  ): Promise<HealthMonitor> {
    const { protocol } = await pools.named(tx, body.poolId);
    requireMonitorFor(protocol, body);
    const columns = this.columnsOf(body);
    return this.table.insert(tx, {
      ...columns,
      ...httpColumns(body.type, columns),
      ...this.partOf(loadBalancer),
      id: randomUUID(),
    });
  }

  protected override async change(
    tx: RequestContext,
    row: HealthMonitor,
    body: HealthMonitorChange,
  ): Promise<Partial<HealthMonitor>> {
    const { protocol } = await pools.named(tx, row.poolId);
    const columns = this.columnsOf(body);
    const { type, delay } = row;
    requireMonitorFor(protocol, { type, delay: columns.delay ?? delay });
    return { ...columns, ...httpColumns(row.type, columns, row) };
  }

  protected async homeOf(ctx: RequestContext, { poolId: id }: NewHealthMonitor): Promise<string> {
    return (await pools.named(ctx, id)).loadBalancerId;
  }

  protected override async ancestors(
    tx: RequestContext,
    { poolId }: HealthMonitor,
  ): Promise<Ancestors> {
    return [
      ['pools', [poolId]],
      ['listeners', await listenersOf(tx, poolId)],
    ];
  }
}
