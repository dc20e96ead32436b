import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { requireCarried } from '../ovn/unsupported-by-ovn.js';
import { listenersOf, visiblePool } from '../tree/pool.entity.js';
import type { Path } from '../resources/resource.controller.js';
import { PartService, type Touched } from '../parts/part.service.js';
import { markDeleting, markUpdating } from '../tree/take-tree.js';
import { keysOf, planBatch, type ListedMember } from './member-batch.js';
import { MemberChecks } from './member-checks.js';
import { type Member, members, presentMembers, writeChanged } from '../tree/member.entity.js';
import {
  memberResource,
  type MemberAttributes,
  type MemberChange,
  type NewMember,
} from './member.resource.js';

@Injectable()
export class MembersService extends PartService<Member, MemberAttributes> {
  protected readonly resource = memberResource;
  protected readonly table = members;
  protected readonly kind = 'members';
  protected readonly quota = 'member';

  constructor(private readonly checks: MemberChecks) {
    super();
  }

  override async create(ctx: RequestContext, body: NewMember, path: Path = {}): Promise<Member> {
    await this.check(ctx, [body]);
    return super.create(ctx, body, path);
  }

  /** What has to be asked before a transaction is open, of new ones. */
  check(ctx: RequestContext, bodies: readonly NewMember[]): Promise<void> {
    return this.checks.requireNew(ctx, bodies);
  }

  async plant(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    body: NewMember,
    { pool_id: poolId = '' }: Path,
  ): Promise<Member> {
    const { healthMonitorId } = await visiblePool(tx, poolId);
    const isMonitored = healthMonitorId !== null;
    const [row] = await this.plantAll(tx, loadBalancer, [body], { poolId, isMonitored });
    return row as Member;
  }

  /** All of a pool's new ones, in a few statements. @throws DuplicateMemberEntryError */
  plantAll(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    bodies: readonly NewMember[],
    { poolId, isMonitored }: { readonly poolId: string; readonly isMonitored: boolean },
  ): Promise<Member[]> {
    keysOf(bodies);
    const rows = bodies.map((body) => ({
      ...newRow(body),
      ...this.partOf(loadBalancer),
      id: randomUUID(),
      poolId,
      operatingStatus: isMonitored ? ('OFFLINE' as const) : ('NO_MONITOR' as const),
    }));
    this.checks.requireNewAddresses(loadBalancer, rows);
    return this.table.insertAll(tx, rows);
  }

  protected override change(
    _tx: RequestContext,
    _row: Member,
    body: MemberChange,
    loadBalancer: LoadBalancer,
  ): Promise<Partial<Member>> {
    const columns = this.columnsOf(body);
    this.checks.requireAddresses(loadBalancer, [columns]);
    return Promise.resolve(columns);
  }

  /**
   * Has a pool have these members and no others, or these besides others.
   * @throws what creating any of them throws, of all of them, before anything is written
   */
  async replace(
    ctx: RequestContext,
    poolId: string,
    listed: readonly ListedMember[],
    isAdditive: boolean,
  ): Promise<void> {
    const { id } = await visiblePool(ctx, poolId);
    const path = { pool_id: id };
    await this.check(
      ctx,
      listed.map(({ body }) => body),
    );
    await inTransaction(ctx, async (tx) => {
      const loadBalancer = await this.taken(tx, await this.homeOf(tx, {} as NewMember, path));
      const pool = await visiblePool(tx, id);
      const there = await presentMembers(tx, id);
      const { added, changed, removed } = planBatch(there, listed, isAdditive);
      const member = Math.max(0, added.length - removed.length);
      await this.quotas.claim(tx, { member }, loadBalancer.projectId);
      this.checks.requireAddresses(loadBalancer, changed);
      await markDeleting(tx, 'members', removed);
      await writeChanged(tx, changed);
      const isMonitored = pool.healthMonitorId !== null;
      await this.plantAll(tx, loadBalancer, added, { poolId: id, isMonitored });
      await requireCarried(tx, loadBalancer);
      for (const [table, ids] of await ancestorsOf(tx, id)) await markUpdating(tx, table, ids);
    });
  }

  protected async homeOf(ctx: RequestContext, _: NewMember, path: Path): Promise<string> {
    return (await visiblePool(ctx, path['pool_id'])).loadBalancerId;
  }

  protected override async within(ctx: RequestContext, path: Path): Promise<Condition[]> {
    return [equals('poolId', (await visiblePool(ctx, path['pool_id'])).id)];
  }

  protected override ancestors(tx: RequestContext, { poolId }: Member): Promise<Touched> {
    return ancestorsOf(tx, poolId);
  }
}

/** The pool, and the listeners that send to it. */
async function ancestorsOf(tx: RequestContext, poolId: string): Promise<Touched> {
  return [
    ['pools', [poolId]],
    ['listeners', await listenersOf(tx, poolId)],
  ];
}

/** All rows of one statement name the same columns. */
function newRow(body: NewMember): Partial<Member> {
  return {
    name: body.name,
    adminStateUp: body.admin_state_up,
    tags: body.tags,
    address: body.address,
    protocolPort: body.protocol_port,
    weight: body.weight,
    backup: body.backup,
    subnetId: body.subnet_id ?? null,
    monitorAddress: body.monitor_address ?? null,
    monitorPort: body.monitor_port ?? null,
  };
}
