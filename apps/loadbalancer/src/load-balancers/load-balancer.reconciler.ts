/**
 * Creates the VIP's port, places the load balancer, and applies its rows; then completes its parts. The
 * port usually exists, since the request creates it so that the response has the address.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow } from '@cumulet/common/database/rows';
import {
  phase,
  type Plan,
  type Reconciler,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { equals } from '@cumulet/common/tables/condition';
import type { LoadBalancerConfig } from '../config.js';
import { operatingStatuses } from '../statistics/operating-statuses.js';
import { changesIn, skeletonsOf, writeChanges } from '../statistics/skeleton.js';
import { OvnBalancers } from '../ovn/ovn-balancers.js';
import { type Driver, driverOf, type ProviderDriver } from '../providers/providers.js';
import { TlsContentsService } from '../tls/tls-contents.service.js';
import { recordInstance } from '../tree/instance.resource.js';
import { LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import {
  loadBalancerStates,
  type LoadBalancerEvent,
  type LoadBalancerState,
} from '../tree/load-balancer.states.js';
import { taskOf, taskOfHost, UNPLACED } from '../tree/take-tree.js';
import { PART_TABLES } from '../tree/tree.columns.js';
import { VipsService } from '../vip/vips.service.js';
import { HaproxyDriver } from './haproxy-driver.js';

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
  readonly #drivers: Readonly<Record<Driver, ProviderDriver<LoadBalancer>>>;

  constructor(
    private readonly vips: VipsService,
    private readonly tls: TlsContentsService,
    haproxy: HaproxyDriver,
    ovn: OvnBalancers,
  ) {
    this.#drivers = { haproxy, ovn };
    const phases = [
      phase<LoadBalancer>('ensurePort', ({ ctx, row }) => this.ensurePort(ctx, row)),
      phase<LoadBalancer>('placeOnHost', (scope) => this.#driverOf(scope.row).place(scope)),
      phase<LoadBalancer>('apply', (scope) => this.apply(scope)),
    ];
    this.plans = {
      pending_create: { phases, then: 'applied' },
      pending_update: { phases, then: 'applied' },
      pending_delete: {
        phases: [
          phase('removeFromHost', (scope) => this.#driverOf(scope.row).remove(scope)),
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
      await completeSubtree(tx, id);
      await recordInstance(tx, id);
    }
    if (event === 'fail') await failSubtree(tx, id);
  }

  /** Secrets that could not be released are released after the next change, or with the load balancer. */
  async afterEnd(ctx: RequestContext, { id }: LoadBalancer): Promise<void> {
    await this.tls.release(ctx, id, false);
  }

  private async ensurePort(ctx: RequestContext, row: LoadBalancer): Promise<void> {
    await this.vips.ensurePort(ctx, row);
  }

  private async apply(scope: Scope<LoadBalancer>): Promise<Wait | undefined> {
    const row = await loadBalancers.get(scope.ctx, scope.row.id);
    return this.#driverOf(row).apply({ ...scope, row });
  }

  #driverOf(row: LoadBalancer): ProviderDriver<LoadBalancer> {
    return this.#drivers[driverOf(row)];
  }

  private async forget(ctx: RequestContext, { id, generation }: LoadBalancer): Promise<void> {
    await loadBalancers.deleteAll(ctx, [equals('id', id), equals('generation', generation)]);
  }
}

const deletions = PART_TABLES.map(
  (table, at) => `d${at} AS (DELETE FROM ${table}
     WHERE load_balancer_id = $1 AND provisioning_status = 'PENDING_DELETE')`,
);

const updates = PART_TABLES.map(
  (table, at) => `u${at} AS (UPDATE ${table}
       SET provisioning_status = $2, updated_at = clock_timestamp()
     WHERE load_balancer_id = $1 AND provisioning_status = ANY($3))`,
);

const PENDING = ['PENDING_CREATE', 'PENDING_UPDATE', 'PENDING_DELETE'];

const REASON = `reason AS (UPDATE load_balancers
       SET state_reason = NULL, updated_at = clock_timestamp()
     WHERE id = $1)`;

/** Removes deleted parts; all others are ACTIVE, including those that failed before. */
async function completeSubtree(tx: RequestContext, id: string): Promise<void> {
  await preparedRows(tx.manager, `WITH ${deletions.join(', ')} SELECT`, [id]);
  const mended = [...PENDING, 'ERROR'];
  await preparedRows(tx.manager, `WITH ${[REASON, ...updates].join(', ')} SELECT`, [
    id,
    'ACTIVE',
    mended,
  ]);
  await show(tx, id);
}

/** The operating statuses until the next measurement. */
async function show(tx: RequestContext, id: string): Promise<void> {
  const trees = await skeletonsOf(tx, [id]);
  const found = trees.map((tree) => [tree, operatingStatuses(tree, 'unseen')] as const);
  await writeChanges(tx, changesIn(found));
}

/** All pending parts are in ERROR until the next change of any of them. */
async function failSubtree(tx: RequestContext, id: string): Promise<void> {
  await preparedRows(tx.manager, `WITH ${updates.join(', ')} SELECT`, [id, 'ERROR', PENDING]);
}
