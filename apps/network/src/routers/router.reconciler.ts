import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudgeAll } from '@cumulet/common/jobs/nudge';
import { Reconciles } from '@cumulet/common/service/background';
import { AppliedReconciler } from '../resource/applied.reconciler.js';
import type { AppliedEvent } from '../resource/applied.states.js';
import type { Router } from './router.entity.js';
import { routerSpecOf } from './router-spec.js';
import { applyRouters, lockRouters } from '../router-locks/router-locks.js';
import { routerStates } from '../router-locks/router.states.js';
import { routers } from './router.table.js';

@Reconciles()
@Injectable()
export class RouterReconciler extends AppliedReconciler<Router> {
  readonly states = routerStates;
  protected readonly table = routers;
  protected readonly title = 'Router';

  /** Its ports are up, or not, as soon as the data plane has it. */
  async ended(tx: RequestContext, id: string, event: AppliedEvent): Promise<void> {
    if (event === 'applied') {
      const text = 'UPDATE routers SET applied_at = clock_timestamp() WHERE id = $1';
      await preparedRows(tx.manager, text, [id]);
    }
    const ports = await preparedRows<{ id: string }>(
      tx.manager,
      `SELECT id FROM router_ports JOIN ports ON id = port_id
        WHERE router_id = $1 AND state IN ('building', 'updating')`,
      [id],
    );
    await nudgeAll(
      tx,
      ports.map((port) => ({ task: 'port', resource: 'port', id: port.id })),
    );
  }

  protected async ensure(ctx: RequestContext, row: Router): Promise<void> {
    await this.dataPlane.ensureRouter(await routerSpecOf(ctx, row));
  }

  protected remove(id: string): Promise<void> {
    return this.dataPlane.removeRouter(id);
  }
}

/** A QoS policy says something else: it may be that of gateways, and of floating IPs. */
export async function reapplyRoutersOfPolicy(ctx: RequestContext, policyId: string): Promise<void> {
  const rows = await preparedRows<{ id: string }>(
    ctx.manager,
    `SELECT id FROM routers WHERE qos_policy_id = $1
      UNION
     SELECT router_id FROM floating_ips WHERE qos_policy_id = $1 AND router_id IS NOT NULL
      ORDER BY id`,
    [policyId],
  );
  for (const { id } of rows)
    await inTransaction(ctx, async (tx) => applyRouters(tx, await lockRouters(tx, [id])));
}
