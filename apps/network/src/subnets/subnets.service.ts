import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { Condition } from '@cumulet/common/tables/condition';
import { equals } from '@cumulet/common/tables/condition';
import {
  InvalidInputError,
  PolicyNotAuthorizedError,
} from '@cumulet/common/resources/resource.errors';
import { fill, refill } from './free-addresses.js';
import { overlap, parseCidr } from '@cumulet/common/addresses/ip-address';
import type { Network } from '../networks/network.entity.js';
import { networks, reapply, visibleNetworks } from '../networks/networks.service.js';
import { networkUsers } from '../networks/network-users.js';
import { refuseSmallMtu } from '../networks/small-mtu.js';
import { ResourceService } from '../resource/resource.service.js';
import { revise } from '../resource/revision.js';
import { lockPool } from '../subnetpools/subnet-allocation.js';
import { applyRouters, lockRoutersOn } from '../router-locks/router-locks.js';
import { isAutoAddressed, type Subnet } from './subnet.entity.js';
import * as errors from './subnet.errors.js';
import { subnetResource, type NewSubnet } from './subnet.resource.js';
import type { SubnetAttributes, SubnetChange } from './subnet.resource.js';
import { subnets, visibleSubnets } from './subnet.table.js';
import { cutFromPool, poolOf, refuseMixedPools } from './subnet-pool.js';
import { checkGateway, checkSubnet, newSubnetRow } from './subnet-rules.js';

/**
 * Addresses that the service gives itself go with the subnet, as do those that hosts make of their
 * MACs, but for routers'. Public source: neutron, `AUTO_DELETE_PORT_OWNERS` and `delete_subnet`.
 */
const GIVEN_BY_ITSELF = ['network:dhcp', 'network:distributed'];

@Injectable()
export class SubnetsService extends ResourceService<Subnet, SubnetAttributes> {
  protected readonly resource = subnetResource;
  protected readonly table = subnets;

  protected visible(ctx: RequestContext): Condition[] {
    return visibleSubnets(ctx);
  }

  /** Networks before pools, each in one order: no two requests wait for each other's locks. */
  protected override async prepare(
    tx: RequestContext,
    bodies: readonly NewSubnet[],
  ): Promise<void> {
    for (const id of new Set(bodies.map(({ network_id }) => network_id).sort()))
      await lockedNetwork(tx, id);
    const pools = new Set<string>();
    for (const body of bodies) {
      const pool = await poolOf(tx, body);
      if (pool !== undefined) pools.add(pool);
    }
    for (const id of [...pools].sort()) await lockPool(tx, id);
  }

  protected async make(tx: RequestContext, body: NewSubnet): Promise<Subnet> {
    const network = await lockedNetwork(tx, body.network_id);
    const poolId = await poolOf(tx, body);
    const cut = poolId === undefined ? undefined : await cutFromPool(tx, poolId, body);
    const row = newSubnetRow({ ...body, cidr: cut?.cidr ?? body.cidr ?? '' });
    checkSubnet(row);
    checkGateway(row, body.gateway_ip !== undefined);
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
    await tellNetwork(tx, network.id);
    return subnet;
  }

  protected async change(tx: RequestContext, subnet: Subnet, body: SubnetChange): Promise<Subnet> {
    const columns = this.columnsOf(body);
    const next = Object.assign({}, subnet, columns);
    checkSubnet(next, subnet.id);
    if (next.gatewayIp !== subnet.gatewayIp) {
      checkGateway(next);
      await refuseIfGatewayUsed(tx, subnet);
    }
    if (body.allocation_pools !== undefined) await refill(tx, subnet.id, next.allocationPools);
    const saved = await this.save(tx, subnet, columns);
    await tellNetwork(tx, subnet.networkId);
    // A gateway's next hop is an address of its subnet.
    if (next.gatewayIp !== subnet.gatewayIp)
      await applyRouters(tx, await lockRoutersOn(tx, subnet.networkId));
    return saved;
  }

  protected async erase(tx: RequestContext, subnet: Subnet): Promise<void> {
    const inUse = await preparedRows(
      tx.manager,
      `SELECT FROM ip_allocations JOIN ports ON ports.id = port_id
        WHERE subnet_id = $1 AND NOT device_owner = ANY($2)
          AND (NOT $3 OR EXISTS (SELECT FROM router_ports WHERE router_ports.port_id = ports.id))
        LIMIT 1`,
      [subnet.id, GIVEN_BY_ITSELF, isAutoAddressed(subnet)],
    );
    if (inUse.length > 0) throw new errors.SubnetInUseError(subnet.id);
    const freed = await preparedRows<{ id: string }>(
      tx.manager,
      'DELETE FROM ip_allocations WHERE subnet_id = $1 RETURNING port_id AS id',
      [subnet.id],
    );
    for (const id of new Set(freed.map((one) => one.id)))
      for (const user of networkUsers) await user.addressesLost?.(tx, id);
    await subnets.delete(tx, subnet.id);
    await tellNetwork(tx, subnet.networkId);
  }

  /** Routers before networks, and those before subnets: whoever makes one has them first. */
  protected override async lockOwn(
    ...[tx, id, ...rest]: Parameters<ResourceService<Subnet, SubnetAttributes>['lockOwn']>
  ): Promise<Subnet> {
    const seen = await this.get(tx, id);
    await lockRoutersOn(tx, seen.networkId);
    await networks.lock(tx, seen.networkId);
    return super.lockOwn(tx, id, ...rest);
  }
}

/** Subnets of a network are made one after the other, so that none overlap. */
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
  // The other may be hidden from whoever asks.
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

/** It has other subnets, which is a change of its own. */
async function tellNetwork(tx: RequestContext, networkId: string): Promise<void> {
  for (const user of networkUsers) await user.subnetsChanged?.(tx, networkId);
  await revise(tx, 'networks', networkId);
  await reapply(tx, networkId);
}
