/**
 * A NIC on QEMU's user-mode network (libslirp), as arguments. Pure. The guest gets its address by
 * DHCP, and reaches only the forwards: no other guest, not the host, not its loopback.
 *
 * Always holds: only numbers and addresses that were parsed and rewritten reach QEMU. Public
 * source: QEMU manual, "Network options", `-netdev user`.
 */
import { isIPv4 } from 'node:net';
import { HypervisorError } from '../../hypervisor-error.js';
import type { UserLink, UserNetworkForward } from '../../ports/guest-nic.js';
import { listOption, type QemuArgument, type QemuOptions } from '../command-line.js';

/** The guest can have neither the network's address nor its first or last. */
const LONGEST_PREFIX = 30;
/** QEMU refuses shorter ones. */
const SHORTEST_PREFIX = 4;

/** @throws as `userNetworkOptions` */
export function userNetworkArguments(link: UserLink, id: string): QemuArgument[] {
  const options = userNetworkOptions(link, id);
  return [
    ...link.forwards.flatMap(({ to }, index) => stream(to, `${id}-forward${index}`)),
    ...listOption('-netdev', 'user', options),
  ];
}

/** @throws HypervisorError `bug` for a NIC that such a network cannot have; the message says why */
export function userNetworkOptions(link: UserLink, id: string) {
  const subnet = subnetOf(link.cidr);
  const address = inside(subnet, link.address);
  const forwards = link.forwards.map((one) => ({ ...one, at: inside(subnet, one.address) }));
  if (forwards.some(({ at }) => at === address))
    throw refused(`${link.address} is the guest's own and cannot be forwarded`);
  const taken = [address, ...forwards.map(({ at }) => at)];
  return {
    id,
    ipv6: false,
    restrict: true,
    net: `${textOf(subnet.first)}/${subnet.prefix}`,
    host: textOf(hostIn(subnet, link.gatewayIp, taken)),
    // Never answers, and must be an unused address.
    dns: textOf(subnet.first),
    dhcpstart: textOf(address),
    guestfwd: forwards.map(
      ({ at, port }, index) =>
        `tcp:${textOf(at)}:${portNumber(port)}-chardev:${id}-forward${index}`,
    ),
  } satisfies QemuOptions;
}

/** Connects while QEMU runs: a missing listener does not prevent the guest's start. */
function stream({ host, port }: UserNetworkForward['to'], id: string): QemuArgument[] {
  const at = { host: textOf(ipv4(host)), port: portNumber(port) };
  return listOption('-chardev', 'socket', { id, ...at, reconnect: 1 });
}

interface Subnet {
  readonly first: number;
  readonly last: number;
  readonly prefix: number;
}

function subnetOf(cidr: string): Subnet {
  const [base = '', length = '', ...rest] = cidr.split('/');
  const limits = { min: SHORTEST_PREFIX, max: LONGEST_PREFIX };
  if (rest.length > 0 || !/^\d{1,2}$/.test(length)) throw refused(`${cidr} is not a CIDR`);
  const prefix = wholeNumber(Number(length), limits, `the prefix of ${cidr}`);
  const [first, size] = [ipv4(base), 2 ** (32 - prefix)];
  if (first % size !== 0) throw refused(`${cidr} has bits beyond its prefix`);
  return { first, last: first + size - 1, prefix };
}

/** An address that a host of the subnet may have. */
function inside({ first, last, prefix }: Subnet, text: string): number {
  const address = ipv4(text);
  if (address > first && address < last) return address;
  throw refused(`${text} is not an address in ${textOf(first)}/${prefix}`);
}

/** The gateway, if it is free and in the subnet; else the lowest free address. */
function hostIn(subnet: Subnet, gatewayIp: string | null, taken: readonly number[]): number {
  const { first, last, prefix } = subnet;
  const isFree = (one: number): boolean => one > first && one < last && !taken.includes(one);
  const gateway = gatewayIp === null ? first : ipv4(gatewayIp);
  if (isFree(gateway)) return gateway;
  // Only named ones are taken, so one of the next is free if any is.
  for (let one = first + 1; one <= first + 1 + taken.length; one += 1) if (isFree(one)) return one;
  throw refused(`${textOf(first)}/${prefix} has no address for the network itself`);
}

function ipv4(text: string): number {
  if (!isIPv4(text)) throw refused(`${text} is not an IPv4 address`);
  return text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function textOf(address: number): string {
  return [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.');
}

function portNumber(value: number): number {
  return wholeNumber(value, { min: 1, max: 65_535 }, 'a port');
}

function wholeNumber(
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
  what: string,
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw refused(`${what} must be a whole number from ${min} to ${max}, not ${value}`);
}

function refused(why: string): HypervisorError {
  return new HypervisorError('bug', `The server's network interface cannot be made: ${why}.`);
}
