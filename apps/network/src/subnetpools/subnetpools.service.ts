import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Condition } from '@cumulet/common/tables/condition';
import { formatCidr, overlap, type IpVersion } from '@cumulet/common/addresses/ip-address';
import { cidrsOf, compact, holdsAll, parseAll, without } from '../addresses/ip-set.js';
import { openToAll, removePolicies, ownOrShared } from '../rbac-policies/sharing.js';
import { expectWithin } from '../resource/bounds.js';
import { ResourceService } from '../resource/resource.service.js';
import { lockOwnNetwork, onboard, type OnboardedSubnet } from './onboarding.js';
import { checkScope, expectOwnScope, lockScopes } from './pool-scopes.js';
import { prefixLengths } from './prefix-lengths.js';
import { allocationsOf, subnetpools } from './subnet-allocation.js';
import type { Subnetpool } from './subnetpool.entity.js';
import * as errors from './subnetpool.errors.js';
import {
  subnetpoolResource,
  type NewSubnetpool,
  type SubnetpoolAttributes,
  type SubnetpoolChange,
} from './subnetpool.resource.js';

@Injectable()
export class SubnetpoolsService extends ResourceService<Subnetpool, SubnetpoolAttributes> {
  protected readonly resource = subnetpoolResource;
  protected readonly table = subnetpools;

  protected visible(ctx: RequestContext): Condition[] {
    return ownOrShared(ctx);
  }

  protected async make(tx: RequestContext, body: NewSubnetpool): Promise<Subnetpool> {
    const columns = this.columnsOf(body);
    const ipVersion = versionOf(body.prefixes);
    const pool = {
      ...columns,
      id: randomUUID(),
      projectId: tx.projectId,
      ipVersion,
      prefixes: compact(body.prefixes),
      addressScopeId: body.address_scope_id ?? null,
      ...prefixLengths(ipVersion, columns),
    };
    await lockScopes(tx, [pool.addressScopeId]);
    await checkScope(tx, pool);
    const made = await subnetpools.insert(tx, pool);
    if (made.shared) await openToAll(tx, 'subnetpool', made);
    return made;
  }

  protected async change(
    tx: RequestContext,
    pool: Subnetpool,
    body: SubnetpoolChange,
  ): Promise<Subnetpool> {
    const columns = this.columnsOf(body);
    const scopes = await lockScopes(tx, [pool.addressScopeId, body.address_scope_id]);
    expectOwnScope(tx, pool, scopes);
    const next: Subnetpool = Object.assign({}, pool, columns);
    if (body.prefixes !== undefined) next.prefixes = grown(pool, body.prefixes);
    prefixLengths(pool.ipVersion, next);
    await checkScope(tx, next);
    return this.save(tx, pool, { ...columns, prefixes: next.prefixes });
  }

  protected async erase(tx: RequestContext, { id }: Subnetpool): Promise<void> {
    await subnetpools.delete(tx, id);
    await removePolicies(tx, id);
  }

  /** @returns all prefixes that the pool has then */
  addPrefixes(ctx: RequestContext, id: string, added: readonly string[]): Promise<string[]> {
    return inTransaction(ctx, async (tx) => {
      const pool = await this.lockOwn(tx, id, 'update');
      const { prefixes } = await this.change(tx, pool, { prefixes: [...pool.prefixes, ...added] });
      return prefixes;
    });
  }

  /** Takes the subnets of a network into the pool. @returns them */
  onboard(ctx: RequestContext, id: string, networkId: string): Promise<OnboardedSubnet[]> {
    return inTransaction(ctx, async (tx) => {
      await lockOwnNetwork(tx, networkId);
      const pool = await this.lockOwn(tx, id, 'update');
      const moved = await onboard(tx, pool, networkId);
      const added = moved.map(({ cidr }) => cidr);
      await this.change(tx, pool, { prefixes: [...pool.prefixes, ...added] });
      return moved;
    });
  }

  /**
   * @returns all prefixes that the pool has left
   * @throws IllegalSubnetPoolPrefixUpdateError while a subnet has addresses of them
   */
  removePrefixes(ctx: RequestContext, id: string, removed: readonly string[]): Promise<string[]> {
    return inTransaction(ctx, async (tx) => {
      const pool = await this.lockOwn(tx, id, 'update');
      const gone = parseAll(removed);
      const taken = parseAll((await allocationsOf(tx, pool.id)).map(({ cidr }) => cidr));
      if (taken.some((one) => gone.some((other) => overlap(one, other)))) {
        throw new errors.IllegalSubnetPoolPrefixUpdateError(
          'One or more the prefixes to be removed is in use by a subnet',
        );
      }
      const own = gone.filter(({ version }) => version === pool.ipVersion);
      const prefixes = cidrsOf(without(parseAll(pool.prefixes), own)).map(formatCidr);
      return (await this.save(tx, pool, { prefixes })).prefixes;
    });
  }
}

/** @throws EmptySubnetPoolPrefixListError, PrefixVersionMismatchError */
function versionOf(prefixes: readonly string[]): IpVersion {
  const [first, ...others] = parseAll(prefixes);
  if (!first) throw new errors.EmptySubnetPoolPrefixListError();
  if (others.some(({ version }) => version !== first.version))
    throw new errors.PrefixVersionMismatchError();
  return first.version;
}

/** A pool keeps what it has: subnets may be of it. */
function grown({ prefixes, ipVersion }: Subnetpool, asked: readonly string[]): string[] {
  const version = versionOf(asked);
  if (version !== ipVersion || !holdsAll(parseAll(asked), parseAll(prefixes))) {
    throw new errors.IllegalSubnetPoolPrefixUpdateError(
      'Existing prefixes must be a subset of the new prefixes',
    );
  }
  const next = compact(asked);
  expectWithin('prefixes', next.length, prefixes.length);
  return next;
}
