import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import {
  InvalidInputError,
  PolicyNotAuthorizedError,
  BadRequestError,
} from '@cumulet/common/resources/resource.errors';
import {
  overlap,
  parseCidr,
  cidrAround,
  formatCidr,
  parseIp,
} from '@cumulet/common/addresses/ip-address';
import type { Cidr } from '@cumulet/common/addresses/ip-address';
import { fill, refill } from './free-addresses.js';
import type { Network } from '../networks/network.entity.js';
import {
  networks,
  reapply,
  visibleNetworks,
  refuseSmallMtu,
} from '../networks/networks.service.js';
import { networkUsers } from '../networks/network-users.js';
import { ResourceService } from '../resource/resource.service.js';
import { revise } from '../resource/revision.js';
import { lockPool, allocate, subnetpools } from '../subnetpools/subnet-allocation.js';
import { applyRouters, lockRoutersOn } from '../router-locks/router-locks.js';
import { isAutoAddressed, type Subnet } from './subnet.entity.js';
import * as errors from './subnet.errors.js';
import { subnetResource } from './subnet.resource.js';
import type { NewSubnet, SubnetAttributes, SubnetChange } from './subnet.resource.js';
import { subnets, visibleSubnets } from './subnet.repository.js';
import { checkGateway, checkSubnet, newSubnetRow } from './subnet-rules.js';
import { NetworkAddressScopeAffinityError } from '../address-scopes/address-scope.resource.js';
import { ownOrShared } from '../rbac-policies/sharing.js';
import type { Subnetpool } from '../subnetpools/subnetpool.resource.js';
import { NetworkSubnetPoolAffinityError } from '../subnetpools/subnetpool.errors.js';

/**
 * Device owners whose addresses are deleted with the subnet, as are addresses that hosts derive
 * from their MACs, except routers'. Public source: neutron, `AUTO_DELETE_PORT_OWNERS` and
 * `delete_subnet`.
 */
const GIVEN_BY_ITSELF = ['network:dhcp', 'network:distributed'];

@Injectable()
export class SubnetsService extends ResourceService<Subnet, SubnetAttributes> {
  protected readonly resource = subnetResource;
  protected readonly table = subnets;

  protected override visible(ctx: RequestContext): Condition[] {
    return visibleSubnets(ctx);
  }

  /** Locks networks before pools, in a fixed order, so that requests do not deadlock. */
  protected override async prepare(
    tx: RequestContext,
    bodies: readonly NewSubnet[],
  ): Promise<void> {
    for (const id of new Set(bodies.map(({ networkId: network_id }) => network_id).sort()))
      await lockedNetwork(tx, id);
    const pools = new Set<string>();
    for (const body of bodies) {
      const pool = await poolOf(tx, body);
      if (pool !== undefined) pools.add(pool);
    }
    for (const id of [...pools].sort()) await lockPool(tx, id);
  }

  protected override async make(tx: RequestContext, body: NewSubnet): Promise<Subnet> {
    const network = await lockedNetwork(tx, body.networkId);
    const poolId = await poolOf(tx, body);
    const cut = poolId === undefined ? undefined : await cutFromPool(tx, poolId, body);
    const row = newSubnetRow({ ...body, cidr: cut?.cidr ?? body.cidr ?? '' });
    checkSubnet(row);
    checkGateway(row, body.gatewayIp !== undefined);
    refuseSmallMtu(network, [row.ipVersion]);
    await refuseOverlap(tx, network.id, row.cidr);
    await refuseMixedPools(tx, network.id, row.ipVersion, cut?.pool);
    const { name, description, tags } = body;
    const subnet = await subnets.insert(tx, {
      id: randomUUID(),
      projectId: tx.projectId,
      networkId: network.id,
      name,
      description,
      tags,
      ...row,
      subnetpoolId: cut?.pool.id ?? null,
    });
    await fill(tx, subnet.id, subnet.allocationPools);
    await reapplyNetwork(tx, network.id);
    return subnet;
  }

  protected override async change(
    tx: RequestContext,
    subnet: Subnet,
    body: SubnetChange,
  ): Promise<Subnet> {
    const columns = this.columnsOf(body);
    const next = Object.assign({}, subnet, columns);
    checkSubnet(next, subnet.id);
    if (next.gatewayIp !== subnet.gatewayIp) {
      checkGateway(next);
      await refuseIfGatewayUsed(tx, subnet);
    }
    if (body.allocationPools !== undefined) await refill(tx, subnet.id, next.allocationPools);
    const saved = await this.save(tx, subnet, columns);
    await reapplyNetwork(tx, subnet.networkId);
    // Routers use the gateway as their next hop.
    if (next.gatewayIp !== subnet.gatewayIp)
      await applyRouters(tx, await lockRoutersOn(tx, subnet.networkId));
    return saved;
  }

  protected override async erase(tx: RequestContext, subnet: Subnet): Promise<void> {
    const inUse = await preparedRows(
      tx.manager,
      `SELECT FROM ip_allocations JOIN ports ON ports.id = port_id
        WHERE subnet_id = $1 AND NOT device_owner = ANY($2)
          AND (NOT $3 OR EXISTS (SELECT FROM router_ports WHERE router_ports.port_id = ports.id))
        LIMIT 1`,
      [subnet.id, GIVEN_BY_ITSELF, isAutoAddressed(subnet)],
    );
    if (inUse.length > 0) throw new errors.SubnetInUseError(subnet.id);
    for (const user of networkUsers) await user.subnetRemoved?.(tx, subnet.id);
    await subnets.delete(tx, subnet.id);
    await reapplyNetwork(tx, subnet.networkId);
  }

  /** Routers are locked before networks, and networks before subnets. */
  protected override async lockOwn(
    ...[tx, id, ...rest]: Parameters<ResourceService<Subnet, SubnetAttributes>['lockOwn']>
  ): Promise<Subnet> {
    const seen = await this.get(tx, id);
    await lockRoutersOn(tx, seen.networkId);
    await networks.lock(tx, seen.networkId);
    return super.lockOwn(tx, id, ...rest);
  }
}

/** Serialises the creation of subnets of a network, so that none overlap. */
async function lockedNetwork(tx: RequestContext, id: string): Promise<Network> {
  const seen = await networks.get(tx, id, visibleNetworks(tx));
  if (!mayActOn(tx, seen.projectId)) throw new PolicyNotAuthorizedError('create_subnet');
  const network = await networks.lock(tx, id);
  return networks.get(tx, network.id, visibleNetworks(tx));
}

async function refuseOverlap(tx: RequestContext, networkId: string, text: string): Promise<void> {
  const others = await subnets.select(tx, [equals('networkId', networkId)]);
  const cidr = parseCidr(text);
  const isTaken = others.some((one) => {
    const other = parseCidr(one.cidr);
    return cidr !== undefined && other !== undefined && overlap(cidr, other);
  });
  if (!isTaken) return;
  // The other subnet may be hidden from the caller, so it is not named.
  throw new InvalidInputError(
    `Requested subnet with cidr: ${text} for network: ${networkId} overlaps with another subnet`,
  );
}

async function refuseIfGatewayUsed(tx: RequestContext, subnet: Subnet): Promise<void> {
  const { gatewayIp } = subnet;
  if (gatewayIp === null) return;
  const [port] = await preparedRows<{ id: string }>(
    tx.manager,
    `SELECT ports.id FROM ip_allocations JOIN ports ON ports.id = port_id
      WHERE ip_allocations.network_id = $1 AND address = $2::inet
        AND device_owner LIKE 'network:%router%'`,
    [subnet.networkId, gatewayIp],
  );
  if (port) throw new errors.GatewayIpInUseError(gatewayIp, port.id);
}

/** Increments the network's revision, and applies it with its new subnets. */
async function reapplyNetwork(tx: RequestContext, networkId: string): Promise<void> {
  for (const user of networkUsers) await user.subnetsChanged?.(tx, networkId);
  await revise(tx, 'networks', networkId);
  await reapply(tx, networkId);
}

const refused = (reason: string): BadRequestError => new BadRequestError('subnets', reason);

/**
 * The pool of a new subnet. Public source: neutron, `_get_subnetpool_id` in
 * `db/db_base_plugin_v2.py`, `SubnetRequestFactory` in `ipam/requests.py`.
 * @returns its ID; undefined for a subnet without a pool
 * @throws BadRequestError for attributes that do not go together
 */
async function poolOf(tx: RequestContext, body: NewSubnet): Promise<string | undefined> {
  const { cidr, prefixlen, subnetpoolId: id, useDefaultSubnetpool: isDefault } = body;
  if (cidr !== undefined && prefixlen !== undefined)
    throw refused('cidr and prefixlen must not be supplied together');
  if (isDefault && id != null)
    throw refused('subnetpool_id and use_default_subnetpool cannot both be specified');
  if (id != null || isDefault) {
    if (cidr === undefined && body.allocationPools !== undefined)
      throw refused('allocation_pools allowed only for specific subnet requests');
    return id ?? (await defaultPool(tx, body));
  }
  if (cidr === undefined) throw refused('a subnetpool must be specified in the absence of a cidr');
  return undefined;
}

async function defaultPool(
  tx: RequestContext,
  { cidr, ipVersion: ip_version }: NewSubnet,
): Promise<string> {
  const version = (cidr === undefined ? undefined : parseCidr(cidr)?.version) ?? ip_version;
  const [pool] = await subnetpools.select(tx, [
    equals('isDefault', true),
    equals('ipVersion', version),
    ...ownOrShared(tx),
  ]);
  if (!pool) throw refused(`No default subnetpool found for IPv${version}`);
  return pool.id;
}

/** @param tx its project will own the subnet @returns the CIDR, and the pool, locked */
async function cutFromPool(
  tx: RequestContext,
  id: string,
  body: NewSubnet,
): Promise<{ cidr: string; pool: Subnetpool }> {
  const pool = await lockPool(tx, id);
  if (body.ipVersion !== pool.ipVersion) {
    throw refused(
      `Cannot allocate IPv${body.ipVersion} subnet from IPv${pool.ipVersion} subnet pool`,
    );
  }
  const cidr = await allocate(tx, pool, {
    cidr: askedCidr(body, pool),
    prefix: body.prefixlen,
  });
  return { cidr: formatCidr(cidr), pool };
}

/** A gateway in the request determines the CIDR. */
function askedCidr(
  { cidr, gatewayIp: gateway, prefixlen }: NewSubnet,
  { defaultPrefixlen, maxPrefixlen, ipVersion }: Subnetpool,
): Cidr | undefined {
  if (cidr !== undefined) return parseCidr(cidr);
  const ip = gateway == null ? undefined : parseIp(gateway);
  const length = prefixlen ?? defaultPrefixlen;
  return ip?.version === ipVersion && length <= maxPrefixlen ? cidrAround(ip, length) : undefined;
}

/**
 * All subnets of a network and IP version must be of one pool, or of pools in one address scope.
 * @param tx has locked the network and the pool
 */
async function refuseMixedPools(
  tx: RequestContext,
  networkId: string,
  version: 4 | 6,
  pool: Subnetpool | undefined,
): Promise<void> {
  // A shared lock keeps the scope's pools from changing.
  if (pool?.addressScopeId != null) {
    await preparedRows(tx.manager, 'SELECT FROM address_scopes WHERE id = $1 FOR SHARE', [
      pool.addressScopeId,
    ]);
  }
  const others = await preparedRows<{ poolId: string | null; scopeId: string | null }>(
    tx.manager,
    `SELECT subnetpool_id AS "poolId", address_scope_id AS "scopeId"
       FROM subnets LEFT JOIN subnetpools ON subnetpools.id = subnetpool_id
      WHERE network_id = $1 AND subnets.ip_version = $2`,
    [networkId, version],
  );
  const scopeId = others.find((other) => other.scopeId !== null)?.scopeId;
  if (pool && scopeId != null) {
    if (pool.addressScopeId !== scopeId) throw new NetworkAddressScopeAffinityError();
  } else if (others.some(({ poolId }) => poolId !== (pool?.id ?? null)))
    throw new NetworkSubnetPoolAffinityError();
}
