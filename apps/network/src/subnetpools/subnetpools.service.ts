import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Condition } from '@cumulet/common/tables/condition';
import { formatCidr, overlap, type IpVersion } from '@cumulet/common/addresses/ip-address';
import { mayActOn } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import { preparedRows } from '@cumulet/common/database/rows';
import { cidrsOf, compact, holdsAll, parseAll, without } from '../addresses/ip-set.js';
import { shareWithAll, removePolicies, ownOrShared } from '../rbac-policies/sharing.js';
import { expectWithin } from '../resource/bounds.js';
import { ResourceService } from '../resource/resource.service.js';
import { checkScope, expectOwnScope, lockScopes } from './pool-scopes.js';
import { allocationsOf, subnetpools } from './subnet-allocation.js';
import type {
  NewSubnetpool,
  Subnetpool,
  SubnetpoolAttributes,
  SubnetpoolChange,
} from './subnetpool.resource.js';
import * as errors from './subnetpool.errors.js';
import { subnetpoolResource } from './subnetpool.resource.js';
import { NetworkNotFoundError } from '../networks/network.errors.js';
import { networks, visibleNetworks } from '../networks/networks.service.js';
import { IllegalSubnetPoolPrefixBoundsError } from './subnetpool.errors.js';

type PrefixLengths = Pick<Subnetpool, 'defaultPrefixlen' | 'minPrefixlen' | 'maxPrefixlen'>;

const MIN = { 4: 8, 6: 64 } as const;
const MAX = { 4: 32, 6: 128 } as const;

/**
 * The prefix lengths of a pool: those requested, and defaults of its IP version. Public source:
 * neutron, `SubnetPoolHelper` in `ipam/subnet_alloc.py`.
 * @throws IllegalSubnetPoolPrefixBoundsError
 */
function prefixLengths(version: IpVersion, asked: Partial<PrefixLengths>): PrefixLengths {
  const { minPrefixlen = MIN[version], maxPrefixlen = MAX[version] } = asked;
  const { defaultPrefixlen = minPrefixlen } = asked;
  const bounds = [
    ['min_prefixlen', minPrefixlen, 'max_prefixlen', maxPrefixlen, minPrefixlen <= maxPrefixlen],
    ['max_prefixlen', maxPrefixlen, 'ip_version_max', MAX[version], maxPrefixlen <= MAX[version]],
    [
      'default_prefixlen',
      defaultPrefixlen,
      'min_prefixlen',
      minPrefixlen,
      defaultPrefixlen >= minPrefixlen,
    ],
    [
      'default_prefixlen',
      defaultPrefixlen,
      'max_prefixlen',
      maxPrefixlen,
      defaultPrefixlen <= maxPrefixlen,
    ],
  ] as const;
  for (const [bound, value, base, limit, holds] of bounds)
    if (!holds) throw new IllegalSubnetPoolPrefixBoundsError(bound, value, base, limit);
  return { defaultPrefixlen, minPrefixlen, maxPrefixlen };
}

@Injectable()
export class SubnetpoolsService extends ResourceService<Subnetpool, SubnetpoolAttributes> {
  protected readonly resource = subnetpoolResource;
  protected readonly table = subnetpools;

  protected override visible(ctx: RequestContext): Condition[] {
    return ownOrShared(ctx);
  }

  protected override async make(tx: RequestContext, body: NewSubnetpool): Promise<Subnetpool> {
    const columns = this.columnsOf(body);
    const ipVersion = versionOf(body.prefixes);
    const pool = {
      ...columns,
      id: randomUUID(),
      projectId: tx.projectId,
      ipVersion,
      prefixes: compact(body.prefixes),
      addressScopeId: body.addressScopeId ?? null,
      ...prefixLengths(ipVersion, columns),
    };
    await lockScopes(tx, [pool.addressScopeId]);
    await checkScope(tx, pool);
    const made = await subnetpools.insert(tx, pool);
    if (made.shared) await shareWithAll(tx, 'subnetpool', made);
    return made;
  }

  protected override async change(
    tx: RequestContext,
    pool: Subnetpool,
    body: SubnetpoolChange,
  ): Promise<Subnetpool> {
    const columns = this.columnsOf(body);
    const scopes = await lockScopes(tx, [pool.addressScopeId, body.addressScopeId]);
    expectOwnScope(tx, pool, scopes);
    const next: Subnetpool = Object.assign({}, pool, columns);
    if (body.prefixes !== undefined) next.prefixes = mergedPrefixes(pool, body.prefixes);
    prefixLengths(pool.ipVersion, next);
    await checkScope(tx, next);
    return this.save(tx, pool, { ...columns, prefixes: next.prefixes });
  }

  protected override async erase(tx: RequestContext, { id }: Subnetpool): Promise<void> {
    await subnetpools.delete(tx, id);
    await removePolicies(tx, id);
  }

  /** @returns all prefixes of the pool after the change */
  addPrefixes(ctx: RequestContext, id: string, added: readonly string[]): Promise<string[]> {
    return inTransaction(ctx, async (tx) => {
      const pool = await this.lockOwn(tx, id, 'update');
      const { prefixes } = await this.change(tx, pool, { prefixes: [...pool.prefixes, ...added] });
      return prefixes;
    });
  }

  /** Makes the subnets of a network part of the pool. @returns them */
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

  /** @returns those that remain @throws IllegalSubnetPoolPrefixUpdateError for used addresses */
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

/** An update cannot remove prefixes, since subnets may use them. */
function mergedPrefixes({ prefixes, ipVersion }: Subnetpool, asked: readonly string[]): string[] {
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

interface OnboardedSubnet {
  readonly id: string;
  readonly cidr: string;
}

/** Locks the network against new subnets. @throws NotAuthorizedError */
async function lockOwnNetwork(tx: RequestContext, id: string): Promise<void> {
  const network = isUuid(id) ? await networks.find(tx, id, visibleNetworks(tx)) : undefined;
  if (!network) throw new NetworkNotFoundError(id);
  if (!mayActOn(tx, network.projectId)) throw new errors.NotAuthorizedError();
  await networks.lock(tx, network.id);
}

/**
 * Makes the subnets of a network part of the pool, as if they had been allocated from it. Public
 * source: neutron, `onboard_network_subnets` in `db/db_base_plugin_v2.py`.
 * @param pool locked, as is the network
 * @throws IllegalSubnetPoolUpdateError for addresses of another subnet of the pool
 */
async function onboard(
  tx: RequestContext,
  pool: Subnetpool,
  networkId: string,
): Promise<OnboardedSubnet[]> {
  const taken = parseAll((await allocationsOf(tx, pool.id)).map(({ cidr }) => cidr));
  const moved = await preparedRows<OnboardedSubnet>(
    tx.manager,
    `UPDATE subnets
        SET subnetpool_id = $1, revision_number = revision_number + 1,
            updated_at = clock_timestamp()
      WHERE id IN (SELECT id FROM subnets WHERE network_id = $2 AND ip_version = $3
                    ORDER BY created_at, id FOR NO KEY UPDATE)
      RETURNING id, cidr`,
    [pool.id, networkId, pool.ipVersion],
  );
  for (const { id, cidr } of moved) {
    const isTaken = parseAll([cidr]).some((own) => taken.some((other) => overlap(own, other)));
    if (!isTaken) continue;
    throw new errors.IllegalSubnetPoolUpdateError(
      `Onboarding subnet ${id}: ${cidr} conflicts with allocated prefixes in subnet pool ${pool.id}`,
    );
  }
  return moved;
}
