/**
 * Moves the world towards a load balancer with all of its parts: a port for its VIP, a host that runs
 * it, and what runs there as the rows say. Those of the provider `ovn` have no host.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import {
  phase,
  type Plan,
  type Reconciler,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import { amend, RowChangedError } from '@cumulet/common/states/transition';
import { equals } from '@cumulet/common/tables/condition';
import { hasInstance, recordInstance } from '../tree/instance.entity.js';
import type { LoadBalancerConfig } from '../config.js';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import { Hosts } from '../hosts/hosts.js';
import { OvnBalancers } from '../ovn/ovn-balancers.js';
import { OVN } from '../ovn/unsupported-by-ovn.js';
import { settleApplied, settleFailed } from '../figures/settle-tree.js';
import { TLS_CONTENTS, type TlsContents } from '../tls/tls-contents.port.js';
import { specOf } from './spec-of.js';
import { treeRows } from '../tree/tree-rows.js';
import { VIPS, type Vips } from '../vip/vips.port.js';
import { LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import {
  loadBalancerStates,
  type LoadBalancerEvent,
  type LoadBalancerState,
} from '../tree/load-balancer.states.js';
import { nudgeLoadBalancer, taskOf, taskOfHost, UNPLACED } from '../tree/take-tree.js';

/** How soon to look again whether the network has the addresses on the host. */
const BOUND_MS = 50;

type Plans = Partial<Record<LoadBalancerState, Plan<LoadBalancer, LoadBalancerEvent>>>;

@Reconciles(({ host, concurrency }: LoadBalancerConfig) => [
  { tasks: [UNPLACED, taskOfHost(host)], concurrency },
])
@Injectable()
export class LoadBalancerReconciler implements Reconciler<
  LoadBalancer,
  LoadBalancerState,
  LoadBalancerEvent
> {
  readonly states = loadBalancerStates;
  readonly plans: Plans;

  constructor(
    @Inject(CONFIG) private readonly config: LoadBalancerConfig,
    @Inject(DATA_PLANE) private readonly dataPlane: DataPlane,
    @Inject(VIPS) private readonly vips: Vips,
    @Inject(TLS_CONTENTS) private readonly tls: TlsContents,
    private readonly hosts: Hosts,
    private readonly ovn: OvnBalancers,
  ) {
    const phases = [
      phase<LoadBalancer>('ensurePort', ({ ctx, row }) => this.ensurePort(ctx, row)),
      phase<LoadBalancer>('placeOnHost', (scope) => this.placeOnHost(scope)),
      phase<LoadBalancer>('apply', (scope) => this.apply(scope)),
    ];
    this.plans = {
      pending_create: { phases, then: 'applied' },
      pending_update: { phases, then: 'applied' },
      pending_delete: {
        phases: [
          phase('removeFromHost', (scope) => this.removeFromHost(scope)),
          phase('releasePort', ({ ctx, row }) => this.vips.release(ctx, row)),
          phase('releaseSecrets', ({ ctx, row }) => this.tls.release(ctx, row.id, true)),
          phase('forget', ({ ctx, row }) => this.forget(ctx, row)),
        ],
      },
    };
  }

  taskOf(row: LoadBalancer): string {
    return taskOf(row);
  }

  load({ manager }: RequestContext, id: string): Promise<LoadBalancer | undefined> {
    return selectRow(manager, LoadBalancer, 'WHERE id = $1', [id]);
  }

  async ended(tx: RequestContext, id: string, event: LoadBalancerEvent): Promise<void> {
    if (event === 'applied') {
      await settleApplied(tx, id);
      await recordInstance(tx, id);
    }
    if (event === 'fail') await settleFailed(tx, id);
  }

  /** What is left of it is removed by the next change, or with the load balancer. */
  async afterEnd(ctx: RequestContext, { id }: LoadBalancer): Promise<void> {
    await this.tls.release(ctx, id, false);
  }

  private async ensurePort(ctx: RequestContext, row: LoadBalancer): Promise<void> {
    await this.vips.ensurePort(ctx, row);
  }

  /** @throws RowChangedError where another host goes on with it */
  private async placeOnHost({ ctx, row }: Scope<LoadBalancer>): Promise<void> {
    if (row.provider === OVN) return;
    const { id, generation } = row;
    const host = row.host ?? (await this.hosts.choose(ctx, row));
    if (row.host === null)
      await amend(ctx, this.states, id, { only: { generation, host: null }, set: { host } });
    await this.requireHere(ctx, { id, host });
  }

  /** @throws RowChangedError where another host goes on with it, which is nudged */
  private async requireHere(
    ctx: RequestContext,
    one: Pick<LoadBalancer, 'id' | 'host'>,
  ): Promise<void> {
    if (one.host === null || one.host === this.config.host) return;
    await nudgeLoadBalancer(ctx, one);
    throw new RowChangedError(this.states.resource, one.id, 'work on');
  }

  private async apply({ ctx, row, signal }: Scope<LoadBalancer>): Promise<Wait | undefined> {
    const now = await loadBalancers.get(ctx, row.id);
    if (now.provider === OVN) {
      const isThere = await this.ovn.apply(ctx, await treeRows(ctx, now), signal);
      return isThere ? undefined : { waitMs: BOUND_MS };
    }
    const place = await this.vips.ensureBound(ctx, now);
    if (!place) return { waitMs: BOUND_MS };
    // Before anything ends: what cannot be read keeps nothing from running on.
    const rows = await treeRows(ctx, now);
    const spec = specOf(rows, await this.tls.read(ctx, rows));
    // What a failover is to replace goes, and what another host had taken over from this one.
    if (now.state !== 'pending_create' && !(await hasInstance(ctx, now)))
      await this.dataPlane.remove(now.id);
    await this.dataPlane.apply(spec, place);
    return undefined;
  }

  private async removeFromHost({ ctx, row }: Scope<LoadBalancer>): Promise<void> {
    if (row.provider === OVN) return this.ovn.remove(ctx, row.id);
    await this.requireHere(ctx, row);
    await this.dataPlane.remove(row.id);
  }

  private async forget(ctx: RequestContext, { id, generation }: LoadBalancer): Promise<void> {
    await loadBalancers.deleteAll(ctx, [equals('id', id), equals('generation', generation)]);
  }
}
