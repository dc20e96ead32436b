/**
 * Chooses the addresses of a port. Public source: neutron, `db/ipam_pluggable_backend.py` and
 * `db/ipam_backend_mixin.py`.
 */
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import {
  contains,
  eui64,
  formatIp,
  isLoopback,
  parseCidr,
  parseIp,
} from '@cumulet/common/addresses/ip-address';
import { hostsOf } from '../subnets/allocation-pools.js';
import { isAutoAddressed, type Subnet } from '../subnets/subnet.entity.js';
import { isRouterPort, LOAD_BALANCER_OWNER } from './device-owner.js';
import * as errors from './port.errors.js';
import type { AskedFixedIp, FixedIp } from './port.resource.js';
import type { Port } from './port.entity.js';

export interface WantedAddress {
  /** Candidates: the address is taken from the first that has a free one. */
  readonly subnets: readonly Subnet[];
  /** Undefined for any free address. */
  readonly address: string | undefined;
}

/** The properties of a port that its addresses depend on. */
export interface AddressedPort {
  readonly networkId: string;
  readonly macAddress: string;
  readonly deviceOwner: string;
}

const MAX_FIXED_IPS = 5;

/**
 * @param all the subnets of the network, the oldest first
 * @param asked the addresses in the request; undefined for one of each IP version
 * @throws InvalidInputError, or Neutron's class for an address that it cannot have
 */
export function wantedAddresses(
  port: AddressedPort,
  all: readonly Subnet[],
  asked: readonly AskedFixedIp[] | undefined,
): WantedAddress[] {
  if (asked !== undefined && asked.length > MAX_FIXED_IPS)
    throw new InvalidInputError('Exceeded maximum amount of fixed ips per port');
  const chosen =
    asked === undefined ? byVersion(port, all) : asked.map((one) => named(port, all, one));
  if (isRouterPort(port) || asked?.length === 0) return chosen;
  // Hosts assign themselves these addresses in any case.
  const implicit = candidates(port, all)
    .filter(isAutoAddressed)
    .map((subnet) => automatic(port, subnet))
    .filter(({ address }) => !chosen.some((one) => one.address === address));
  return [...chosen, ...implicit];
}

/** Subnets whose service types include the device owner, or else those without service types. */
function candidates({ deviceOwner }: AddressedPort, all: readonly Subnet[]): Subnet[] {
  const fitting = all.filter(
    ({ serviceTypes, cidr }) =>
      (serviceTypes.length === 0 || serviceTypes.includes(deviceOwner)) &&
      mayHave(deviceOwner, cidr),
  );
  return fitting.sort((one, other) => other.serviceTypes.length - one.serviceTypes.length);
}

/** Loopback addresses are for programs of the host only. */
function mayHave(deviceOwner: string, cidr: string): boolean {
  return deviceOwner === LOAD_BALANCER_OWNER || !isLoopback(cidr);
}

function byVersion(port: AddressedPort, all: readonly Subnet[]): WantedAddress[] {
  const fitting = candidates(port, all);
  if (fitting.length === 0 && all.length > 0) {
    const loopback = all.find(({ cidr }) => !mayHave(port.deviceOwner, cidr));
    if (loopback) throw new errors.LoopbackSubnetError(loopback.id, loopback.cidr);
    throw new errors.IpAddressGenerationFailureNoMatchingSubnetError(
      port.networkId,
      port.deviceOwner,
    );
  }
  const pooled = fitting.filter((subnet) => !isAutoAddressed(subnet));
  return ([4, 6] as const)
    .map((version) => pooled.filter(({ ipVersion }) => ipVersion === version))
    .filter((subnets) => subnets.length > 0)
    .map((subnets) => ({ subnets, address: undefined }));
}

function named(port: AddressedPort, all: readonly Subnet[], asked: AskedFixedIp): WantedAddress {
  const { subnet_id: subnetId, ip_address: address } = asked;
  if (subnetId === undefined && address === undefined)
    throw new InvalidInputError('IP allocation requires subnet_id or ip_address');
  const subnet =
    subnetId === undefined
      ? all.find((one) => holds(one, address ?? ''))
      : all.find(({ id }) => id === subnetId.toLowerCase());
  if (!subnet) {
    if (subnetId === undefined) throw new errors.InvalidIpForNetworkError(address ?? '');
    throw new InvalidInputError(
      `Failed to create port on network ${port.networkId}, because fixed_ips included invalid subnet ${subnetId}`,
    );
  }
  if (!mayHave(port.deviceOwner, subnet.cidr))
    throw new errors.LoopbackSubnetError(subnet.id, subnet.cidr);
  if (isAutoAddressed(subnet) && !isRouterPort(port)) {
    const own = automatic(port, subnet);
    if (address !== undefined && address !== own.address)
      throw new errors.AllocationOnAutoAddressSubnetError(address, subnet.id);
    return own;
  }
  if (address !== undefined && !isHost(subnet, address))
    throw new errors.InvalidIpForSubnetError(address);
  return { subnets: [subnet], address };
}

function automatic({ macAddress }: AddressedPort, subnet: Subnet): WantedAddress {
  const cidr = parseCidr(subnet.cidr);
  return { subnets: [subnet], address: cidr && formatIp(eui64(macAddress, cidr)) };
}

function holds({ cidr }: Subnet, address: string): boolean {
  const [range, ip] = [parseCidr(cidr), parseIp(address)];
  return range !== undefined && ip !== undefined && contains(range, ip);
}

function isHost({ cidr }: Subnet, address: string): boolean {
  const [range, ip] = [parseCidr(cidr), parseIp(address)];
  return range !== undefined && ip !== undefined && contains(hostsOf(range), ip);
}

interface AddressChange {
  /** Addresses to release. */
  readonly gone: readonly FixedIp[];
  /** Addresses to add to those that stay. */
  readonly wanted: readonly WantedAddress[];
  /** The number of addresses that stay; new ones follow them. */
  readonly kept: number;
}

/**
 * The differences when a request changes a port's addresses. An address that is named again stays,
 * and so does one on a subnet that is named without an address.
 * @param port with its new MAC
 */
export function changedAddresses(
  port: Port,
  all: readonly Subnet[],
  asked: readonly AskedFixedIp[],
): AddressChange {
  const left = [...port.fixedIps];
  const wanted: WantedAddress[] = [];
  for (const one of wantedAddresses(port, all, asked)) {
    const at = left.findIndex(
      ({ ip_address, subnet_id }) =>
        one.subnets.some(({ id }) => id === subnet_id) &&
        (one.address === undefined || one.address === ip_address),
    );
    if (at < 0) wanted.push(one);
    else left.splice(at, 1);
  }
  return { gone: left, wanted, kept: port.fixedIps.length };
}
