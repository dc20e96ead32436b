import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { phase } from '@cumulet/common/reconcile/reconciler';
import type { Plan, Reconciler, Scope, Wait } from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { equals } from '@cumulet/common/tables/condition';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import { notifyCompute } from '../server-events/notify-compute.js';
import { recordStatus } from './apply-port.js';
import type { Port } from './port.entity.js';
import { qosOf, portSpecOf } from './port-spec.js';
import { isPlugged, isRouterUp } from './device-owner.js';
import { portStates, type PortEvent, type PortState } from './port.states.js';
import { ports } from './port.repository.js';

/** Milliseconds between checks of its router, whose reconciler also wakes it. */
const ROUTER_MS = 1_000;

@Reconciles()
@Injectable()
export class PortReconciler implements Reconciler<Port, PortState, PortEvent> {
  readonly states = portStates;
  readonly plans: Partial<Record<PortState, Plan<Port, PortEvent>>> = {
    building: { phases: [phase('ensurePort', (scope) => this.ensure(scope))] },
    updating: { phases: [phase('ensurePort', (scope) => this.ensure(scope))] },
    removing: {
      phases: [
        phase('removePort', ({ row }) => this.dataPlane.removePort(row.id)),
        phase('forget', (scope) => this.forget(scope)),
      ],
    },
  };

  constructor(@Inject(DATA_PLANE) private readonly dataPlane: DataPlane) {}

  taskOf(): string {
    return 'port';
  }

  load(ctx: RequestContext, id: string): Promise<Port | undefined> {
    return ports.find(ctx, id);
  }

  /** Notifies the server that waits for a port whose plugging failed. */
  async ended(tx: RequestContext, id: string, event: PortEvent): Promise<void> {
    const row = await ports.find(tx, id);
    if (event === 'fail' && row?.previousState === 'building')
      await notifyCompute(tx, id, 'network-vif-plugged', 'failed');
  }

  /** A port that comes up later is noticed by the comparison with the data plane. */
  private async ensure({ ctx, row }: Scope<Port>): Promise<Wait | undefined> {
    const isUp = isPlugged(row)
      ? (await this.dataPlane.ensurePort(portSpecOf(row, await qosOf(ctx, row)))).isUp
      : await isRouterUp(ctx, row);
    if (isUp === undefined) return { waitMs: ROUTER_MS };
    await recordStatus(ctx, row, isUp);
    return undefined;
  }

  private async forget({ ctx, row }: Scope<Port>): Promise<void> {
    await ports.deleteAll(ctx, [equals('id', row.id)]);
  }
}
