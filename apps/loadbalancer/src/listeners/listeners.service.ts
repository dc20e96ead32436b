import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow } from '@cumulet/common/database/rows';
import { L7PoliciesService } from '../l7-policies/l7-policies.service.js';
import { PartService, type Needs } from '../parts/part.service.js';
import { requirePair } from '../parts/protocols.js';
import { tlsLimits } from '../tree/tls-options.js';
import type { NewPool } from '../pools/pool.resource.js';
import { PoolsService } from '../pools/pools.service.js';
import type { QuotaName } from '../quotas/load-balancer-quotas.js';
import { NotFoundError } from '../resources/octavia.errors.js';
import { newRefs, refsOfListener, TlsContentsService } from '../tls/tls-contents.service.js';
import { type Listener, listeners } from '../tree/listener.entity.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { Pool } from '../tree/pool.entity.js';
import { markDeleting } from '../tree/take-tree.js';
import { endsTls, requireSound, type Home, type Judged } from './listener-rules.js';
import {
  listenerResource,
  type ListenerAttributes,
  type ListenerChange,
  type NestedListener,
  type NewListener,
  poolsOf,
  type PoolReference,
} from './listener.resource.js';

/** The parts of a load balancer that one request creates. */
export interface Populated {
  readonly listeners: readonly NestedListener[];
  readonly pools: readonly NewPool[];
}

@Injectable()
export class ListenersService extends PartService<Listener, ListenerAttributes> {
  protected readonly resource = listenerResource;
  protected readonly table = listeners;
  protected readonly kind = 'listeners';
  protected readonly quota = 'listener';

  constructor(
    private readonly pools: PoolsService,
    private readonly policies: L7PoliciesService,
    private readonly tls: TlsContentsService,
  ) {
    super();
  }

  override async create(ctx: RequestContext, body: NewListener): Promise<Listener> {
    const loadBalancer = await loadBalancers.get(ctx, body.loadbalancerId, reachable(ctx));
    await this.check(ctx, loadBalancer, { listeners: [body], pools: [] });
    return super.create(ctx, body);
  }

  override async update(ctx: RequestContext, id: string, body: ListenerChange): Promise<Listener> {
    const row = await this.get(ctx, id);
    const change = Object.assign({}, row, this.columnsOf(body));
    requireSound(change, await loadBalancers.get(ctx, row.loadBalancerId));
    const refs = newRefs(refsOfListener(row), refsOfListener(change));
    await this.tls.requireUsable(ctx, row.projectId, refs);
    return super.update(ctx, id, body);
  }

  /**
   * Validation that asks other services, before a transaction is open.
   * @param home the load balancer, or what a new one will be
   */
  async check(
    ctx: RequestContext,
    home: Home,
    { listeners: bodies, pools }: Populated,
  ): Promise<void> {
    await this.pools.check(ctx, home.projectId, poolsOf(bodies, pools));
    for (const body of bodies) {
      const judged = this.#judged(body);
      requireSound(judged, home);
      await this.tls.requireUsable(ctx, home.projectId, refsOfListener(judged));
    }
  }

  override needs(body: NestedListener): Needs {
    return this.needsOf({ listeners: [body], pools: [] });
  }

  needsOf({ listeners: bodies, pools }: Populated): Needs {
    return sum([
      { listener: bodies.length },
      ...poolsOf(bodies, pools).map((pool) => this.pools.needs(pool)),
      ...bodies.flatMap(({ l7policies }) =>
        l7policies.map((policy) => this.policies.needs({ ...policy, listenerId: '' })),
      ),
    ]);
  }

  async insertSubtree(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    body: NestedListener,
  ): Promise<Listener> {
    const [row] = await this.insertSubtrees(tx, loadBalancer, { listeners: [body], pools: [] });
    return row as Listener;
  }

  /** Pools come first, since listeners and policies name them. */
  async insertSubtrees(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    { listeners: bodies, pools }: Populated,
  ): Promise<Listener[]> {
    const poolIds = new Map<string, string>();
    for (const pool of poolsOf(bodies, pools))
      poolIds.set(pool.name, (await this.pools.insertSubtree(tx, loadBalancer, pool)).id);
    const idOf = (reference: PoolReference | null | undefined, id: string | null = null) =>
      reference == null ? id : (poolIds.get(reference.name) ?? null);
    const rows: Listener[] = [];
    for (const body of bodies) {
      const { l7policies, defaultPool: pool, defaultPoolId: poolId, ...rest } = body;
      const row = await this.#insert(tx, loadBalancer, {
        ...rest,
        l7policies: [],
        defaultPoolId: idOf(pool, poolId),
      });
      for (const {
        redirectPool: redirect_pool,
        redirectPoolId: redirect_pool_id,
        ...policy
      } of l7policies) {
        await this.policies.insertSubtree(tx, loadBalancer, {
          ...policy,
          listenerId: row.id,
          redirectPoolId: idOf(redirect_pool, redirect_pool_id),
        });
      }
      rows.push(row);
    }
    return rows;
  }

  async #insert(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    body: NestedListener,
  ): Promise<Listener> {
    const judged = this.#judged(body);
    requireSound(judged, loadBalancer);
    const { defaultPoolId: poolId } = body;
    if (poolId != null) await requirePool(tx, loadBalancer, judged.protocol, poolId);
    const { tlsCiphers, tlsVersions, alpnProtocols, ...columns } = this.columnsOf(own(body));
    return this.table.insert(tx, {
      ...columns,
      ...tlsLimits(endsTls(judged), { tlsCiphers, tlsVersions, alpnProtocols }),
      ...this.partOf(loadBalancer),
      id: randomUUID(),
    });
  }

  protected override async change(
    tx: RequestContext,
    row: Listener,
    body: ListenerChange,
    loadBalancer: LoadBalancer,
  ): Promise<Partial<Listener>> {
    const { defaultPoolId: poolId } = body;
    const columns = this.columnsOf(body);
    const judged = Object.assign({}, row, columns);
    requireSound(judged, loadBalancer);
    if (poolId != null) await requirePool(tx, loadBalancer, row.protocol, poolId);
    return { ...columns, ...tlsLimits(endsTls(judged), columns, row) };
  }

  /** Its policies go with it; its pools are of use to others. */
  protected override async erase(tx: RequestContext, { id }: Listener): Promise<void> {
    const policies = await preparedRows<{ id: string; rules: string[] }>(
      tx.manager,
      `SELECT id, ARRAY(SELECT id::text FROM l7_rules WHERE l7_policy_id = l7_policies.id) AS rules
         FROM l7_policies WHERE listener_id = $1`,
      [id],
    );
    await markDeleting(
      tx,
      'l7_policies',
      policies.map((policy) => policy.id),
    );
    await markDeleting(
      tx,
      'l7_rules',
      policies.flatMap(({ rules }) => rules),
    );
  }

  protected homeOf(_ctx: RequestContext, body: NewListener): Promise<string> {
    return Promise.resolve(body.loadbalancerId);
  }

  /** As the rules read it: what was not given is not there. */
  #judged(body: NestedListener): Judged {
    const nothing = {
      defaultTlsContainerRef: null,
      clientCaTlsContainerRef: null,
      clientCrlContainerRef: null,
      hstsMaxAge: null,
    };
    return { ...nothing, ...(this.columnsOf(own(body)) as Judged) };
  }
}

/** The listener's own attributes, without its parts. */
function own(body: NestedListener): object {
  const { l7policies: _policies, defaultPool: _pool, ...rest } = body;
  return { ...rest, loadbalancerId: undefined };
}

function sum(all: readonly Needs[]): Needs {
  const total: Needs = {};
  for (const needs of all)
    for (const [name, count] of Object.entries(needs) as [QuotaName, number][])
      total[name] = (total[name] ?? 0) + count;
  return total;
}

/**
 * @throws NotFoundError for a pool of another load balancer
 * @throws ValidationExceptionError for one whose protocol does not go with the listener's
 */
async function requirePool(
  tx: RequestContext,
  loadBalancer: LoadBalancer,
  protocol: string,
  poolId: string,
): Promise<void> {
  const pool = await selectRow(
    tx.manager,
    Pool,
    `WHERE id = $1 AND load_balancer_id = $2 AND provisioning_status <> 'PENDING_DELETE'`,
    [poolId, loadBalancer.id],
  );
  if (!pool) throw new NotFoundError('Pool', poolId);
  requirePair(protocol, pool.protocol);
}
