import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { inProject, reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError, conflict } from '@cumulet/common/errors/domain-error';
import { hasten, nudge } from '@cumulet/common/jobs/nudge';
import type { Query } from '@cumulet/common/resources/list-query';
import { columnsOf } from '@cumulet/common/resources/resource';
import { initialState } from '@cumulet/common/states/transition';
import { equals } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { ListenersService } from '../listeners/listeners.service.js';
import { requireCarried, requireCarriedVip } from '../ovn/unsupported-by-ovn.js';
import { LoadBalancerQuotas } from '../quotas/load-balancer-quotas.js';
import { pageOfRows } from '../resources/octavia-query.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import type { ResourceService } from '../resources/resource.controller.js';
import { forgetInstance } from '../tree/instance.resource.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { loadBalancerStates } from '../tree/load-balancer.states.js';
import { hasParts, markAllDeleting, takeTree, UNPLACED } from '../tree/take-tree.js';
import { VipsService } from '../vip/vips.service.js';
import { ProviderSelection } from './provider-selection.js';
import { VipSelection, type Vip } from './vip-selection.js';
import {
  loadBalancerResource,
  type LoadBalancerAttributes,
  type LoadBalancerChange,
  type NewLoadBalancer,
} from './load-balancer.resource.js';

/** When the reconciler creates the port, if the request did not get that far. */
const LATER_MS = 5_000;

const RESOURCE = 'load_balancer';

@Injectable()
export class LoadBalancersService implements ResourceService<LoadBalancer, LoadBalancerAttributes> {
  constructor(
    private readonly quotas: LoadBalancerQuotas,
    private readonly vipSelection: VipSelection,
    private readonly listeners: ListenersService,
    private readonly providerSelection: ProviderSelection,
    private readonly vips: VipsService,
  ) {}

  list(ctx: RequestContext, query: Query): Promise<PageOfRows<LoadBalancer>> {
    const of = { resource: loadBalancerResource, table: loadBalancers };
    return pageOfRows(ctx, of, query, reachable(ctx));
  }

  /** @throws NotFoundError */
  get(ctx: RequestContext, id: string): Promise<LoadBalancer> {
    return loadBalancers.named(ctx, id);
  }

  /** @returns it with its address, unless the network service is away or the answer is kept */
  async create(ctx: RequestContext, body: NewLoadBalancer): Promise<LoadBalancer> {
    const own = inProject(ctx, body.projectId);
    const vip = await this.vipSelection.read(own, body);
    const { name: provider } = await this.providerSelection.read(own, body, vip.vipNetworkId);
    await this.vipSelection.refuseUnknown(own, body);
    const { listeners, pools } = body;
    const isPlain = listeners.length === 0 && pools.length === 0;
    // Stands for addresses that the network service has yet to choose, when parts are validated.
    const likely = isPlain ? vip : await this.vipSelection.likely(own, vip);
    const { projectId } = own;
    const home = { projectId, provider, vipSgIds: body.vipSgIds, ...likely };
    if (!isPlain) await this.listeners.check(own, home, { listeners, pools });
    const row = await inTransaction(own, async (tx) => {
      const parts = this.listeners.needsOf({ listeners, pools });
      await this.quotas.claim(tx, { loadbalancer: 1, ...parts });
      if (vip.vipPortId !== null) await refuseTakenPort(tx, vip.vipPortId);
      const inserted = await this.#insert(tx, body, { ...vip, provider });
      const created = Object.assign({}, inserted, likely);
      await this.listeners.insertSubtrees(tx, created, { listeners, pools });
      await requireCarried(tx, created);
      await nudge(tx, {
        task: UNPLACED,
        resource: RESOURCE,
        id: inserted.id,
        // In a held transaction, the reconciler creates the port after the commit.
        delayMs: own.fields.held ? 0 : LATER_MS,
      });
      return loadBalancers.get(tx, inserted.id);
    });
    if (own.fields.held) return row;
    return this.#withPort(own, row);
  }

  async update(ctx: RequestContext, id: string, body: LoadBalancerChange): Promise<LoadBalancer> {
    const seen = await this.get(ctx, id);
    if (Object.keys(body).length === 0) return seen;
    await this.vipSelection.refuseUnknown(ctx, body);
    return inTransaction(ctx, async (tx) => {
      await takeTree(tx, seen.id);
      const columns = columnsOf<LoadBalancer>(loadBalancerResource, body);
      const change = { ...columns, vipGroupsDue: true, updatedAt: new Date() };
      const row = await loadBalancers.update(tx, seen.id, change);
      requireCarriedVip(row);
      return row;
    });
  }

  /**
   * From any state.
   * @param options.cascade whether all that it has goes with it
   * @throws ValidationExceptionError if it has anything otherwise
   */
  remove(
    ctx: RequestContext,
    id: string,
    { cascade = false }: { readonly cascade?: boolean } = {},
  ): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const seen = await this.get(tx, id);
      await takeTree(tx, seen.id, 'remove');
      if (!cascade && (await hasParts(tx, seen.id)))
        throw new ValidationExceptionError(
          `Cannot delete Load Balancer ${seen.id} - it has children`,
        );
      await markAllDeleting(tx, seen.id);
    });
  }

  failover(ctx: RequestContext, id: string): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const seen = await this.get(tx, id);
      await takeTree(tx, seen.id, 'failover');
      await forgetInstance(tx, seen.id);
    });
  }

  #insert(
    tx: RequestContext,
    { listeners: _listeners, pools: _pools, ...body }: NewLoadBalancer,
    columns: Vip & Pick<LoadBalancer, 'provider'>,
  ): Promise<LoadBalancer> {
    return loadBalancers.insert(tx, {
      ...columnsOf<LoadBalancer>(loadBalancerResource, body),
      ...columns,
      id: randomUUID(),
      projectId: tx.projectId,
      ...initialState(loadBalancerStates),
    });
  }

  /** If the network service refuses the port, the load balancer is deleted again. */
  async #withPort(ctx: RequestContext, row: LoadBalancer): Promise<LoadBalancer> {
    try {
      return await this.vips.ensurePort(ctx, row);
    } catch (error) {
      if (!wouldBeRefusedAgain(error)) return row;
      await loadBalancers.deleteAll(ctx, [
        equals('id', row.id),
        equals('vipPortId', row.vipPortId),
      ]);
      throw error instanceof ServiceRefusedError && error.status === 409
        ? new VIPAddressConflictError(error.serviceMessage ?? error.message)
        : error;
    } finally {
      await hasten(ctx, RESOURCE, [row.id]);
    }
  }
}

function wouldBeRefusedAgain(error: unknown): boolean {
  const kinds = ['unavailable', 'transient', 'timeout', 'rate-limited', 'not-ready', 'bug'];
  return error instanceof DomainError && !kinds.includes(error.kind);
}

/** Until a load balancer is plugged into it, the port itself does not tell. */
async function refuseTakenPort(tx: RequestContext, vipPortId: string): Promise<void> {
  await transactionLock(tx.manager, `cumulet:loadbalancer:port:${vipPortId}`);
  const [other] = await loadBalancers.select(tx, [equals('vipPortId', vipPortId)]);
  if (other)
    throw new ValidationExceptionError(
      `Port ${vipPortId} is already used by device lb-${other.id}`,
    );
}

/** The network service would not give the address. Public source: octavia, `common/exceptions.py`. */
export class VIPAddressConflictError extends conflict(
  (reason: string) => `The VIP IP address is already in use: ${reason}`,
) {}
