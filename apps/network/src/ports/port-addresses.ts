import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, identifiedBy } from '@cumulet/common/tables/condition';
import { contains, parseIp } from '@cumulet/common/addresses/ip-address';
import { randomBytes } from 'node:crypto';
import { releaseAddress, allocateNext, allocateAddress } from '../subnets/free-addresses.js';
import type { Port } from './port.entity.js';
import { rangeOf } from '../subnets/allocation-pools.js';
import type { Subnet } from '../subnets/subnet.entity.js';
import { subnets, visibleSubnets } from '../subnets/subnet.repository.js';
import type { WantedAddress } from './fixed-ips.js';
import type { AskedFixedIp, FixedIp } from './port.resource.js';
import * as errors from './port.errors.js';
import { allocations, ports } from './port.repository.js';

/** Locks a network's subnets, the oldest first, so that only this transaction may allocate. */
export function lockSubnets(tx: RequestContext, networkId: string): Promise<Subnet[]> {
  const order = 'ORDER BY created_at, id FOR NO KEY UPDATE';
  return subnets.select(tx, [equals('networkId', networkId)], order);
}

/**
 * Refuses subnets that do not exist; `wantedAddresses` refuses those of other networks. Public
 * source: neutron, `_get_subnet_for_fixed_ip` in `db/ipam_backend_mixin.py`.
 * @param all the subnets of the port's network
 * @throws SubnetNotFoundError for one that the caller does not see
 */
export async function requireSubnets(
  tx: RequestContext,
  all: readonly Subnet[],
  asked: readonly AskedFixedIp[] | undefined,
): Promise<void> {
  for (const { subnet_id: id } of asked ?? [])
    if (id !== undefined && !all.some((one) => one.id === id.toLowerCase()))
      await subnets.get(tx, id.toLowerCase(), visibleSubnets(tx));
}

/**
 * @throws IpAddressInUseError for an address of another port of the network
 * @throws IpAddressGenerationFailureError if none is free
 */
export async function allocateAddresses(
  tx: RequestContext,
  { id, networkId }: Pick<Port, 'id' | 'networkId'>,
  wanted: readonly WantedAddress[],
  firstPosition = 0,
): Promise<void> {
  for (const [at, { subnets: from, address }] of wanted.entries()) {
    const position = firstPosition + at;
    const place = { networkId, portId: id, position };
    const [first] = from;
    if (address === undefined || !first) {
      const next = await takeAny(tx, networkId, from);
      await allocations.insert(tx, { ...place, ...next });
      continue;
    }
    await allocations.insert(tx, { ...place, address, subnetId: first.id });
    await allocateAddress(tx, first.id, address);
  }
}

async function takeAny(
  tx: RequestContext,
  networkId: string,
  from: readonly Subnet[],
): Promise<{ subnetId: string; address: string }> {
  for (const { id: subnetId } of from) {
    const address = await allocateNext(tx, subnetId);
    if (address !== undefined) return { subnetId, address };
  }
  throw new errors.IpAddressGenerationFailureError(networkId);
}

/** @param all the subnets of the port's network, locked */
export async function freeAddresses(
  tx: RequestContext,
  { networkId }: Pick<Port, 'networkId'>,
  addresses: readonly FixedIp[],
  all: readonly Subnet[],
): Promise<void> {
  for (const { ip_address: address, subnet_id: subnetId } of addresses) {
    await allocations.deleteAll(tx, identifiedBy({ networkId, address }));
    const subnet = all.find(({ id }) => id === subnetId);
    if (subnet && isPooled(subnet, address)) await releaseAddress(tx, subnetId, address);
  }
}

function isPooled({ allocationPools }: Subnet, address: string): boolean {
  const ip = parseIp(address);
  return allocationPools.some((pool) => {
    const range = rangeOf(pool);
    return ip !== undefined && range !== undefined && contains(range, ip);
  });
}

/** OpenStack's prefix, which distinguishes guests' NICs from others. */
const PREFIX = 'fa:16:3e';
const CANDIDATES = 8;

/** @returns a MAC that no port of the network has. Public source: neutron, `conf/common.py`. */
export async function freeMac(tx: RequestContext, networkId: string): Promise<string> {
  const candidates = Array.from({ length: CANDIDATES }, randomMac);
  const mac = await ports.unusedMac(tx, networkId, candidates);
  if (mac === undefined) throw new errors.MacAddressInUseError(networkId, candidates.join(', '));
  return mac;
}

function randomMac(): string {
  const bytes = [...randomBytes(3)].map((byte) => byte.toString(16).padStart(2, '0'));
  return [PREFIX, ...bytes].join(':');
}
