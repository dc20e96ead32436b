import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudgeAll } from '@cumulet/common/jobs/nudge';
import {
  phase,
  type Plan,
  type Reconciler,
  type Scope,
} from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { equals } from '@cumulet/common/tables/condition';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import type { AppliedEvent, AppliedState } from '../resource/applied.states.js';
import type { Router } from './router.entity.js';
import { routerSpecOf } from './router-spec.js';
import { routerStates } from './router.states.js';
import { routers } from './router.table.js';

@Reconciles()
@Injectable()
export class RouterReconciler implements Reconciler<Router, AppliedState, AppliedEvent> {
  readonly states = routerStates;
  readonly plans: Partial<Record<AppliedState, Plan<Router, AppliedEvent>>> = {
    applying: { phases: [phase('ensureRouter', (scope) => this.ensure(scope))], then: 'applied' },
    removing: {
      phases: [
        phase('removeRouter', ({ row }) => this.dataPlane.removeRouter(row.id)),
        phase('forget', (scope) => this.forget(scope)),
      ],
    },
  };

  constructor(@Inject(DATA_PLANE) private readonly dataPlane: DataPlane) {}

  taskOf(): string {
    return 'router';
  }

  load(ctx: RequestContext, id: string): Promise<Router | undefined> {
    return routers.find(ctx, id);
  }

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

  private async ensure({ ctx, row }: Scope<Router>): Promise<void> {
    await this.dataPlane.ensureRouter(await routerSpecOf(ctx, row));
  }

  private async forget({ ctx, row }: Scope<Router>): Promise<void> {
    await routers.deleteAll(ctx, [equals('id', row.id)]);
  }
}
