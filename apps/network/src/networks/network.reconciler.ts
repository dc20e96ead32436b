import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { phase, type Scope, type Wait } from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import type { NetworkSpec } from '../data-plane/data-plane.js';
import { AppliedReconciler } from '../resource/applied.reconciler.js';
import type { Network } from './network.entity.js';
import { networkUsers } from './network-users.js';
import { networkStates } from './network.states.js';
import { networks } from './networks.service.js';

/** Milliseconds between checks whether the ports of a network that is being deleted are gone. */
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
    await this.dataPlane.ensureNetwork(await networkSpecOf(ctx, row));
  }

  protected remove(id: string): Promise<void> {
    return this.dataPlane.removeNetwork(id);
  }

  private async awaitPorts({ ctx, row }: Scope<Network>): Promise<Wait | undefined> {
    for (const user of networkUsers)
      if (await user.isOn?.(ctx, row.id)) return { waitMs: PORTS_MS };
    return undefined;
  }
}

export async function networkSpecOf(ctx: RequestContext, network: Network): Promise<NetworkSpec> {
  const { id, projectId, adminStateUp, mtu, dnsDomain } = network;
  const { networkType, physicalNetwork, segmentationId } = network;
  const own = { id, projectId, adminStateUp, mtu, dnsDomain };
  const segment = { networkType, physicalNetwork, segmentationId };
  const spec = { ...own, ...segment, subnets: [], metadataPort: null };
  for (const user of networkUsers) Object.assign(spec, await user.partsOf?.(ctx, id));
  return spec;
}
