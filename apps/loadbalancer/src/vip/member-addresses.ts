/** Addresses that members must not have. */
import { networkInterfaces } from 'node:os';
import {
  canonicalIp,
  contains,
  formatIp,
  parseCidr,
  parseIp,
} from '@cumulet/common/addresses/ip-address';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { LoadBalancerConfig } from '../config.js';
import { BalancerRefusedError } from '../data-plane/data-plane.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import { addressesOf, type LoadBalancer } from '../tree/load-balancer.entity.js';
import { isOnHost } from './vip-port.js';

type Addressed = Pick<LoadBalancer, 'vipAddress' | 'additionalVips'>;

/**
 * One that runs on the host itself must not lead to the host, nor any to link-local addresses, where
 * the platform's own services are.
 * @param addresses of members and of their monitors
 * @throws ValidationExceptionError
 */
export function refuseMemberAddresses(
  loadBalancer: Pick<LoadBalancer, 'vipAddress'>,
  { loopbackMembers }: Pick<LoadBalancerConfig, 'loopbackMembers'>,
  addresses: readonly (string | null | undefined)[],
): void {
  const isHeld = isOnHost(loadBalancer) && !loopbackMembers;
  const own = isHeld ? ownAddresses() : new Set<string>();
  for (const address of new Set(addresses)) {
    if (address == null) continue;
    const why = whyNowhere(address) ?? (isHeld ? whyOwn(address, own) : undefined);
    if (why !== undefined)
      throw new ValidationExceptionError(`A member cannot be at ${address}: ${why}.`);
  }
}

/**
 * A member at the load balancer's own address would send its requests back to it, in a loop, until no
 * connection is left. Octavia allows that.
 * @param addresses of members, where traffic goes
 * @throws ValidationExceptionError
 */
export function refuseOwnVips(
  loadBalancer: Addressed,
  addresses: readonly (string | null | undefined)[],
): void {
  const own = new Set(addressesOf(loadBalancer).map(canonical));
  for (const address of addresses)
    if (address != null && own.has(canonical(address)))
      throw new ValidationExceptionError(
        `A member cannot be at ${address}: it is the load balancer's own VIP.`,
      );
}

function canonical(address: string | null): string | null {
  return address === null ? null : (canonicalIp(address) ?? address);
}

/**
 * By these a load balancer on the host itself would lead to the host, where the platform's own ports
 * are: what is asked there is asked of the machine that asks.
 */
const RESERVED = [
  ['127.0.0.0/8', 'it is a loopback address'],
  ['::1/128', 'it is a loopback address'],
  ['0.0.0.0/8', 'it is not the address of a host'],
  ['::/128', 'it is not the address of a host'],
  ['224.0.0.0/3', 'it is not the address of a host'],
  ['ff00::/8', 'it is not the address of a host'],
] as const;

/** Clouds have their own services there. */
const LINK_LOCAL = [
  ['169.254.0.0/16', 'it is a link-local address'],
  ['fe80::/10', 'it is a link-local address'],
] as const;

/** IPv4 within IPv6 (RFC 4291, RFC 6052, RFC 3056). */
const EMBEDDED = [
  { range: '::ffff:0:0/96', shift: 0n },
  { range: '::/96', shift: 0n },
  { range: '64:ff9b::/96', shift: 0n },
  { range: '2002::/16', shift: 80n },
] as const;

/** @returns why no load balancer may have a member there; undefined if it may */
function whyNowhere(address: string): string | undefined {
  return firstOf([address, ...embeddedIn(address)].map((one) => whyIn(LINK_LOCAL, one)));
}

/**
 * @param own the host's addresses
 * @returns why a load balancer on the host itself may have no member there; undefined if it may
 */
export function whyOwn(address: string, own: ReadonlySet<string>): string | undefined {
  const all = [address, ...embeddedIn(address)];
  const reserved = firstOf(all.map((one) => whyIn(RESERVED, one)));
  if (reserved !== undefined) return reserved;
  return all.some((one) => own.has(one)) ? 'it is an address of the host itself' : undefined;
}

/** The addresses of this machine, in canonical form. */
export function ownAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((devices) => devices ?? []);
  return new Set(
    all.flatMap(({ address }) => {
      const ip = parseIp(address.replace(/%.*$/, ''));
      return ip ? [formatIp(ip)] : [];
    }),
  );
}

/** Other members than those of this machine may have been asked for elsewhere. @throws BalancerRefusedError */
export async function refuseOwnAddresses(
  { manager }: RequestContext,
  loadBalancerId: string,
): Promise<void> {
  const rows = await preparedRows<{ id: string; address: string | null }>(
    manager,
    `SELECT id, unnest(ARRAY[address, monitor_address]) AS address FROM members
      WHERE load_balancer_id = $1 AND provisioning_status <> 'PENDING_DELETE'`,
    [loadBalancerId],
  );
  const own = ownAddresses();
  for (const { id, address } of rows) {
    const why = address === null ? undefined : whyOwn(address, own);
    if (why !== undefined)
      throw new BalancerRefusedError(`Member ${id} cannot be at ${address}: ${why}.`);
  }
}

function whyIn(
  ranges: readonly (readonly [string, string])[],
  address: string,
): string | undefined {
  const ip = parseIp(address);
  return ranges.find(([range]) => {
    const cidr = parseCidr(range);
    return ip !== undefined && cidr !== undefined && contains(cidr, ip);
  })?.[1];
}

function firstOf(reasons: readonly (string | undefined)[]): string | undefined {
  return reasons.find((why) => why !== undefined);
}

function embeddedIn(address: string): string[] {
  const ip = parseIp(address);
  if (ip?.version !== 6) return [];
  return EMBEDDED.flatMap(({ range, shift }) => {
    const cidr = parseCidr(range);
    if (!cidr || !contains(cidr, ip)) return [];
    return [formatIp({ version: 4, value: (ip.value >> shift) & 0xffffffffn })];
  });
}
