import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import {
  phase,
  type Plan,
  type Reconciler,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { equals } from '@cumulet/common/tables/condition';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import { metadataPortOf } from '../metadata-ports/metadata-port.js';
import { subnets } from '../subnets/subnet.table.js';
import type { Network } from './network.entity.js';
import { networkSpecOf } from './network-spec.js';
import { networkStates, type NetworkEvent, type NetworkState } from './network.states.js';
import { networks } from './networks.service.js';

/** How soon to look again whether the ports of a network that goes are gone. */
const PORTS_MS = 250;

@Reconciles()
@Injectable()
export class NetworkReconciler implements Reconciler<Network, NetworkState, NetworkEvent> {
  readonly states = networkStates;
  readonly plans: Partial<Record<NetworkState, Plan<Network, NetworkEvent>>> = {
    applying: { phases: [phase('ensureNetwork', (scope) => this.ensure(scope))], then: 'applied' },
    removing: {
      phases: [
        phase('awaitPorts', (scope) => this.awaitPorts(scope)),
        phase('removeNetwork', ({ row }) => this.dataPlane.removeNetwork(row.id)),
        phase('forget', (scope) => this.forget(scope)),
      ],
    },
  };

  constructor(@Inject(DATA_PLANE) private readonly dataPlane: DataPlane) {}

  taskOf(): string {
    return 'network';
  }

  load(ctx: RequestContext, id: string): Promise<Network | undefined> {
    return networks.find(ctx, id);
  }

  private async ensure({ ctx, row }: Scope<Network>): Promise<void> {
    const parts = await subnets.select(ctx, [equals('networkId', row.id)], 'ORDER BY id');
    const port = await metadataPortOf(ctx, row.id);
    await this.dataPlane.ensureNetwork(networkSpecOf(row, parts, port));
  }

  private async awaitPorts({ ctx, row }: Scope<Network>): Promise<Wait | undefined> {
    const left = await preparedRows(
      ctx.manager,
      'SELECT FROM ports WHERE network_id = $1 LIMIT 1',
      [row.id],
    );
    return left.length > 0 ? { waitMs: PORTS_MS } : undefined;
  }

  private async forget({ ctx, row }: Scope<Network>): Promise<void> {
    await networks.deleteAll(ctx, [equals('id', row.id)]);
  }
}
