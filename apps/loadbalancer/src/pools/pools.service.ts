import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { conflict } from '@cumulet/common/errors/domain-error';
import { HealthMonitorsService } from '../health-monitors/health-monitors.service.js';
import { MembersService } from '../members/members.service.js';
import { PartService, type Needs, type Ancestors } from '../parts/part.service.js';
import { requirePair } from '../parts/protocols.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import {
  newRefs,
  refsOfPool,
  TlsContentsService,
  type TlsRefs,
} from '../tls/tls-contents.service.js';
import { listeners, type Listener } from '../tree/listener.entity.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { type Pool, listenersOf, pools } from '../tree/pool.entity.js';
import { markDeleting } from '../tree/take-tree.js';
import { persistenceOf, requireSupported, tlsColumns } from './pool-rules.js';
import {
  poolResource,
  type NewPool,
  type PoolAttributes,
  type PoolChange,
} from './pool.resource.js';

@Injectable()
export class PoolsService extends PartService<Pool, PoolAttributes> {
  protected readonly resource = poolResource;
  protected readonly table = pools;
  protected readonly kind = 'pools';
  protected readonly quota = 'pool';

  constructor(
    private readonly members: MembersService,
    private readonly healthMonitors: HealthMonitorsService,
    private readonly tls: TlsContentsService,
  ) {
    super();
  }

  override async create(ctx: RequestContext, body: NewPool): Promise<Pool> {
    const home = await this.homeOf(ctx, body);
    const { projectId } = await loadBalancers.get(ctx, home, reachable(ctx));
    await this.check(ctx, projectId, [body]);
    return super.create(ctx, body);
  }

  override async update(ctx: RequestContext, id: string, body: PoolChange): Promise<Pool> {
    const row = await this.get(ctx, id);
    // Errors that do not depend on the secrets come first.
    const change = Object.assign({}, row, this.columnsOf(body));
    tlsColumns(this.columnsOf(body), row);
    const refs = newRefs(refsOfPool(row), refsOfPool(change));
    await this.tls.requireUsable(ctx, row.projectId, refs);
    return super.update(ctx, id, body);
  }

  /**
   * Validation that asks other services, before a transaction is open.
   * @param projectId whose they will be
   */
  async check(ctx: RequestContext, projectId: string, bodies: readonly NewPool[]): Promise<void> {
    await this.members.check(
      ctx,
      bodies.flatMap(({ members }) => members),
    );
    for (const body of bodies) {
      tlsColumns(this.columnsOf(body));
      await this.tls.requireUsable(ctx, projectId, refsOf(body));
    }
  }

  override needs({ members, healthmonitor }: NewPool): Needs {
    return { pool: 1, member: members.length, healthmonitor: healthmonitor == null ? 0 : 1 };
  }

  async insertSubtree(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    body: NewPool,
  ): Promise<Pool> {
    const listener = await this.#listenerFor(tx, loadBalancer, body);
    const columns = this.columnsOf(body);
    requireSupported(loadBalancer.provider, {
      protocol: body.protocol,
      lbAlgorithm: body.lbAlgorithm,
    });
    const pool = await this.table.insert(tx, {
      ...own(columns),
      ...tlsColumns(columns),
      ...this.partOf(loadBalancer),
      id: randomUUID(),
      sessionPersistence: persistenceOf(body.protocol, body.sessionPersistence ?? null),
    });
    if (listener) await listeners.update(tx, listener.id, { defaultPoolId: pool.id });
    await this.#insertParts(tx, loadBalancer, pool.id, body);
    return pool;
  }

  protected override change(
    _tx: RequestContext,
    row: Pool,
    body: PoolChange,
    { provider }: LoadBalancer,
  ): Promise<Partial<Pool>> {
    const columns = own(this.columnsOf(body));
    const { protocol, lbAlgorithm } = row;
    requireSupported(provider, { protocol, lbAlgorithm, ...columns });
    const given = body.sessionPersistence;
    return Promise.resolve({
      ...columns,
      ...tlsColumns(columns, row),
      ...(given === undefined
        ? {}
        : { sessionPersistence: persistenceOf(row.protocol, given, row.sessionPersistence) }),
    });
  }

  protected override async erase(tx: RequestContext, { id }: Pool): Promise<void> {
    const [policy] = await preparedRows<{ id: string }>(
      tx.manager,
      'SELECT id FROM l7_policies WHERE redirect_pool_id = $1 ORDER BY position, id LIMIT 1',
      [id],
    );
    if (policy) throw new PoolInUseByL7PolicyError(id, policy.id);
    for (const kind of ['members', 'health_monitors'] as const) {
      const parts = await preparedRows<{ id: string }>(
        tx.manager,
        `SELECT id FROM ${kind} WHERE pool_id = $1`,
        [id],
      );
      await markDeleting(
        tx,
        kind,
        parts.map((part) => part.id),
      );
    }
  }

  protected override async ancestors(tx: RequestContext, { id }: Pool): Promise<Ancestors> {
    return [['listeners', await listenersOf(tx, id)]];
  }

  protected async homeOf(ctx: RequestContext, body: NewPool): Promise<string> {
    const { loadbalancerId: loadBalancerId, listenerId } = body;
    if (loadBalancerId != null) return loadBalancerId;
    if (listenerId == null) {
      throw new ValidationExceptionError(
        'Must provide at least one of: loadbalancer_id, listener_id',
      );
    }
    return (await listeners.get(ctx, listenerId, reachable(ctx))).loadBalancerId;
  }

  /** @throws DuplicatePoolEntryError if it has a default pool */
  async #listenerFor(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    { listenerId: id, protocol }: NewPool,
  ): Promise<Listener | undefined> {
    if (id == null) return undefined;
    const listener = await listeners.get(tx, id, reachable(tx));
    if (listener.loadBalancerId !== loadBalancer.id) {
      throw new ValidationExceptionError(
        `Listener ${id} is not of load balancer ${loadBalancer.id}.`,
      );
    }
    requirePair(listener.protocol, protocol);
    if (listener.defaultPoolId !== null) throw new DuplicatePoolEntryError();
    return listener;
  }

  async #insertParts(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    poolId: string,
    { members, healthmonitor }: NewPool,
  ): Promise<void> {
    const isMonitored = healthmonitor != null;
    await this.members.insertSubtrees(tx, loadBalancer, members, { poolId, isMonitored });
    if (isMonitored)
      await this.healthMonitors.insertSubtree(tx, loadBalancer, { ...healthmonitor, poolId });
  }
}

/** Secrets that a new one names. */
function refsOf(body: NewPool): TlsRefs {
  return refsOfPool({
    tlsContainerRef: body.tlsContainerRef ?? null,
    caTlsContainerRef: body.caTlsContainerRef ?? null,
    crlContainerRef: body.crlContainerRef ?? null,
  });
}

/** Attributes that are no columns as they are given. */
const NO_COLUMNS = [
  'members',
  'healthmonitor',
  'listenerId',
  'loadbalancerId',
  'sessionPersistence',
];

function own(columns: Partial<Pool>): Partial<Pool> {
  return Object.fromEntries(Object.entries(columns).filter(([name]) => !NO_COLUMNS.includes(name)));
}

/** Public source: octavia, `common/exceptions.py`. */
class DuplicatePoolEntryError extends conflict('This listener already has a default pool') {}

/** Public source: octavia, `common/exceptions.py`. */
class PoolInUseByL7PolicyError extends conflict(
  (id: string, policyId: string) => `Pool ${id} is in use by L7 policy ${policyId}`,
) {}
