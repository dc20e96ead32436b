import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { asCaller } from '@cumulet/clients/http/actor';
import { CONFIG } from '@cumulet/common/service/tokens';
import { invalid } from '@cumulet/common/errors/domain-error';
import type { LoadBalancerConfig } from '../config.js';
import { NETWORKS, type Networks } from '../network/networks.port.js';
import { requireCarried } from '../ovn/unsupported-by-ovn.js';
import { PartService, type Ancestors } from '../parts/part.service.js';
import { InvalidSubresourceError } from '../resources/octavia.errors.js';
import type { Path } from '../resources/resource.controller.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { type Member, members, presentMembers, writeChanged } from '../tree/member.resource.js';
import { listenersOf, pools } from '../tree/pool.entity.js';
import { markDeleting, markUpdating } from '../tree/take-tree.js';
import { refuseMemberAddresses, refuseOwnVips } from '../vip/member-addresses.js';
import { keysOf, planBatch, type ListedMember } from './member-batch.js';
import {
  type MemberAttributes,
  type MemberChange,
  memberResource,
  type NewMember,
} from '../tree/member.resource.js';

/** Ids that one list of subnets is filtered by: an address has its length. */
const SUBNETS_AT_ONCE = 50;

/** Public source: octavia, `common/exceptions.py`. */
export class MemberSRIOVDisabledError extends invalid(
  'The load balancer flavor does not allow SR-IOV member ports.',
) {}

@Injectable()
export class MembersService extends PartService<Member, MemberAttributes> {
  protected readonly resource = memberResource;
  protected readonly table = members;
  protected readonly kind = 'members';
  protected readonly quota = 'member';

  constructor(
    @Inject(CONFIG) private readonly config: LoadBalancerConfig,
    @Inject(NETWORKS) private readonly networks: Networks,
  ) {
    super();
  }

  override async create(ctx: RequestContext, body: NewMember, path: Path = {}): Promise<Member> {
    await this.check(ctx, [body]);
    return super.create(ctx, body, path);
  }

  /**
   * Validation that asks other services, before a transaction is open.
   * @throws InvalidSubresourceError for a subnet that the caller does not see
   * @throws MemberSRIOVDisabledError
   */
  async check(ctx: RequestContext, bodies: readonly NewMember[]): Promise<void> {
    if (bodies.some(({ requestSriov: isWanted }) => isWanted)) throw new MemberSRIOVDisabledError();
    const ids = [...new Set(bodies.flatMap(({ subnetId: id }) => id ?? []))];
    for (let at = 0; at < ids.length; at += SUBNETS_AT_ONCE) {
      const asked = ids.slice(at, at + SUBNETS_AT_ONCE);
      const found = await this.networks.subnets(asCaller(ctx), { id: asked });
      const missing = asked.find((id) => !found.some((subnet) => subnet.id === id));
      if (missing !== undefined) throw new InvalidSubresourceError('Subnet', missing);
    }
  }

  async insertSubtree(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    body: NewMember,
    { pool_id: poolId = '' }: Path,
  ): Promise<Member> {
    const { healthMonitorId } = await pools.named(tx, poolId);
    const isMonitored = healthMonitorId !== null;
    const [row] = await this.insertSubtrees(tx, loadBalancer, [body], { poolId, isMonitored });
    return row as Member;
  }

  /** All of a pool's new ones, in a few statements. @throws DuplicateMemberEntryError */
  insertSubtrees(
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
    this.#requireAddresses(loadBalancer, rows);
    refuseOwnVips(
      loadBalancer,
      rows.map(({ address }) => address),
    );
    return this.table.insertAll(tx, rows);
  }

  protected override change(
    _tx: RequestContext,
    _row: Member,
    body: MemberChange,
    loadBalancer: LoadBalancer,
  ): Promise<Partial<Member>> {
    const columns = this.columnsOf(body);
    this.#requireAddresses(loadBalancer, [columns]);
    return Promise.resolve(columns);
  }

  /**
   * Replaces the members of a pool, or adds to them.
   * @throws what creating any of them throws, of all of them, before anything is written
   */
  async replace(
    ctx: RequestContext,
    poolId: string,
    listed: readonly ListedMember[],
    isAdditive: boolean,
  ): Promise<void> {
    const { id } = await pools.named(ctx, poolId);
    const path = { pool_id: id };
    await this.check(
      ctx,
      listed.map(({ body }) => body),
    );
    await inTransaction(ctx, async (tx) => {
      const loadBalancer = await this.taken(tx, await this.homeOf(tx, {} as NewMember, path));
      const pool = await pools.named(tx, id);
      const there = await presentMembers(tx, id);
      const { added, changed, removed } = planBatch(there, listed, isAdditive);
      const member = Math.max(0, added.length - removed.length);
      await this.quotas.claim(tx, { member }, loadBalancer.projectId);
      this.#requireAddresses(loadBalancer, changed);
      await markDeleting(tx, 'members', removed);
      await writeChanged(tx, changed);
      const isMonitored = pool.healthMonitorId !== null;
      await this.insertSubtrees(tx, loadBalancer, added, { poolId: id, isMonitored });
      await requireCarried(tx, loadBalancer);
      for (const [table, ids] of await ancestorsOf(tx, id)) await markUpdating(tx, table, ids);
    });
  }

  /** @throws ValidationExceptionError for an address that nobody may be sent to */
  #requireAddresses(
    loadBalancer: Pick<LoadBalancer, 'vipAddress'>,
    rows: readonly Partial<Pick<Member, 'address' | 'monitorAddress'>>[],
  ): void {
    const addresses = rows.flatMap(({ address, monitorAddress }) => [address, monitorAddress]);
    refuseMemberAddresses(loadBalancer, this.config, addresses);
  }

  protected async homeOf(ctx: RequestContext, _: NewMember, path: Path): Promise<string> {
    return (await pools.named(ctx, path['pool_id'])).loadBalancerId;
  }

  protected override async within(ctx: RequestContext, path: Path): Promise<Condition[]> {
    return [equals('poolId', (await pools.named(ctx, path['pool_id'])).id)];
  }

  protected override ancestors(tx: RequestContext, { poolId }: Member): Promise<Ancestors> {
    return ancestorsOf(tx, poolId);
  }
}

/** The pool, and the listeners that send to it. */
async function ancestorsOf(tx: RequestContext, poolId: string): Promise<Ancestors> {
  return [
    ['pools', [poolId]],
    ['listeners', await listenersOf(tx, poolId)],
  ];
}

/** All rows of one statement name the same columns. */
function newRow(body: NewMember): Partial<Member> {
  return {
    name: body.name,
    adminStateUp: body.adminStateUp,
    tags: body.tags,
    address: body.address,
    protocolPort: body.protocolPort,
    weight: body.weight,
    backup: body.backup,
    subnetId: body.subnetId ?? null,
    monitorAddress: body.monitorAddress ?? null,
    monitorPort: body.monitorPort ?? null,
  };
}
