/** Public source: neutron, `ipam/utils.py` and `db/ipam_backend_mixin.py`. */
import { contains, formatIp, overlap, parseIp } from '@cumulet/common/addresses/ip-address';
import type { Cidr, IpAddress, IpRange } from '@cumulet/common/addresses/ip-address';
import * as errors from './subnet.errors.js';

/** In wire form, also in rows. */
export interface AllocationPool {
  readonly start: string;
  readonly end: string;
}

/** All host addresses except the gateway's. */
export function defaultPools(cidr: Cidr, gateway: IpAddress | undefined): AllocationPool[] {
  const { first, last } = hostsOf(cidr);
  const { version } = cidr;
  const free =
    gateway && contains(cidr, gateway)
      ? [
          { version, first, last: gateway.value - 1n },
          { version, first: gateway.value + 1n, last },
        ].map((part) => ({ ...part, first: max(part.first, first), last: min(part.last, last) }))
      : [{ version, first, last }];
  return free.filter((part) => part.first <= part.last).map(poolOf);
}

/**
 * @throws InvalidAllocationPoolError for the other IP version, or an end before the start
 * @throws OutOfBoundsAllocationPoolError for addresses that a host of the subnet cannot have
 * @throws OverlappingAllocationPoolsError naming the two
 * @throws GatewayConflictWithAllocationPoolsError for a gateway in a pool
 */
export function checkPools(
  pools: readonly AllocationPool[],
  cidr: Cidr,
  cidrText: string,
  gateway: IpAddress | undefined,
): void {
  const hosts = hostsOf(cidr);
  const ranges = pools.map((pool) => {
    const range = rangeOf(pool);
    if (range?.version !== cidr.version || range.first > range.last)
      throw new errors.InvalidAllocationPoolError(textOf(pool));
    if (range.first < hosts.first || range.last > hosts.last)
      throw new errors.OutOfBoundsAllocationPoolError(textOf(pool), cidrText);
    return { range, pool };
  });
  for (const [at, { range, pool }] of ranges.entries()) {
    const other = ranges.slice(at + 1).find((one) => overlap(range, one.range));
    if (other) {
      throw new errors.OverlappingAllocationPoolsError(textOf(pool), textOf(other.pool), cidrText);
    }
    if (gateway && contains(range, gateway))
      throw new errors.GatewayConflictWithAllocationPoolsError(formatIp(gateway), textOf(pool));
  }
}

/** @returns undefined for a pool whose ends are invalid or of different IP versions */
export function rangeOf({ start, end }: AllocationPool): IpRange | undefined {
  const [first, last] = [parseIp(start), parseIp(end)];
  if (!first || first.version !== last?.version) return undefined;
  return { version: first.version, first: first.value, last: last.value };
}

/** Excludes the network address and, in IPv4, the broadcast address. */
export function hostsOf({ version, prefix, first, last }: Cidr): IpRange {
  if (version === 4 && prefix > 30) return { version, first, last };
  if (first === last) return { version, first, last };
  return { version, first: first + 1n, last: version === 4 ? last - 1n : last };
}

function poolOf({ version, first, last }: IpRange): AllocationPool {
  return {
    start: formatIp({ version, value: first }),
    end: formatIp({ version, value: last }),
  };
}

function textOf({ start, end }: AllocationPool): string {
  return `${start}-${end}`;
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
