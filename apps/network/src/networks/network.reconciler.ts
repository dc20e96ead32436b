import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { phase, type Scope, type Wait } from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { equals } from '@cumulet/common/tables/condition';
import { metadataPortOf } from '../metadata-ports/metadata-port.js';
import { AppliedReconciler } from '../resource/applied.reconciler.js';
import { subnets } from '../subnets/subnet.table.js';
import type { Network } from './network.entity.js';
import { networkSpecOf } from './network-spec.js';
import { networkStates } from './network.states.js';
import { networks } from './networks.service.js';

/** How soon to look again whether the ports of a network that goes are gone. */
const PORTS_MS = 250;

@Reconciles()
@Injectable()
export class NetworkReconciler extends AppliedReconciler<Network> {
  readonly states = networkStates;
  protected readonly table = networks;
  protected readonly title = 'Network';
  protected override readonly beforeRemoval = [
    phase<Network>('awaitPorts', (scope) => this.awaitPorts(scope)),
  ];

  protected async ensure(ctx: RequestContext, row: Network): Promise<void> {
    const parts = await subnets.select(ctx, [equals('networkId', row.id)], 'ORDER BY id');
    const port = await metadataPortOf(ctx, row.id);
    await this.dataPlane.ensureNetwork(networkSpecOf(row, parts, port));
  }

  protected remove(id: string): Promise<void> {
    return this.dataPlane.removeNetwork(id);
  }

  private async awaitPorts({ ctx, row }: Scope<Network>): Promise<Wait | undefined> {
    const left = await preparedRows(
      ctx.manager,
      'SELECT FROM ports WHERE network_id = $1 LIMIT 1',
      [row.id],
    );
    return left.length > 0 ? { waitMs: PORTS_MS } : undefined;
  }
}
