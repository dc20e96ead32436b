/** Writes members' health to the database for processes that only answer requests. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SweepEvery } from '@cumulet/common/service/background';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import { isPresent } from '../resource/resource.table.js';
import { balancers } from './balancer.entity.js';

@Injectable()
export class BalancerHealthSweep {
  constructor(@Inject(DATA_PLANE) private readonly dataPlane: DataPlane) {}

  @SweepEvery(1_000, 'balancer-health')
  async follow(ctx: RequestContext): Promise<void> {
    if (!(await balancers.has(ctx, [isPresent]))) return;
    const health = await this.dataPlane.balancerHealth();
    const rows = [...health].map(([id, members]) => ({ id, health: Object.fromEntries(members) }));
    await preparedRows(
      ctx.manager,
      `UPDATE balancers SET health = seen.health
         FROM jsonb_to_recordset($1::jsonb) AS seen (id uuid, health jsonb)
        WHERE balancers.id = seen.id AND balancers.health <> seen.health`,
      [JSON.stringify(rows)],
    );
  }
}
