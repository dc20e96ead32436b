/**
 * Validates a subnet's attributes. Public source: neutron, `_validate_subnet` and
 * `_validate_ipv6_attributes` in `db/db_base_plugin_v2.py`.
 */
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import { contains, formatIp, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import type { Cidr, IpAddress } from '@cumulet/common/addresses/ip-address';
import { checkPools, defaultPools } from './allocation-pools.js';
import type { Subnet } from './subnet.entity.js';
import * as errors from './subnet.errors.js';
import type { NewSubnet } from './subnet.resource.js';

const MAX_NAMESERVERS = 5;
const MAX_ROUTES = 20;

/** The longest prefixes that leave room for both hosts and the DHCP server. */
const MAX_DHCP_PREFIX = { 4: 30, 6: 126 } as const;

/** Prefixes of device owners that are permitted as service types. */
const OWNERS = /^(network|compute|baremetal|trunk|neutron):/;

export type SubnetRow = Pick<
  Subnet,
  | 'ipVersion'
  | 'cidr'
  | 'gatewayIp'
  | 'allocationPools'
  | 'dnsNameservers'
  | 'hostRoutes'
  | 'enableDhcp'
  | 'ipv6RaMode'
  | 'ipv6AddressMode'
  | 'serviceTypes'
>;

/** A new subnet with defaults that follow from the request. */
export function newSubnetRow(body: NewSubnet & { readonly cidr: string }): SubnetRow {
  const cidr = cidrOf(body.cidr);
  const gatewayIp = body.gatewayIp === undefined ? defaultGateway(body.cidr, cidr) : body.gatewayIp;
  const gateway = gatewayIp === null ? undefined : parseIp(gatewayIp);
  return {
    ipVersion: body.ipVersion,
    cidr: body.cidr,
    gatewayIp,
    allocationPools: body.allocationPools ?? defaultPools(cidr, gateway),
    dnsNameservers: body.dnsNameservers,
    hostRoutes: body.hostRoutes,
    enableDhcp: body.enableDhcp,
    ipv6RaMode: body.ipv6RaMode ?? null,
    ipv6AddressMode: body.ipv6AddressMode ?? null,
    serviceTypes: body.serviceTypes,
  };
}

/** @throws InvalidInputError, or Neutron's class for the invalid attribute */
export function checkSubnet(row: SubnetRow, id = 'new subnet'): void {
  const cidr = cidrOf(row.cidr);
  expectVersion(row, 'cidr', row.cidr);
  if (cidr.prefix === 0) throw new InvalidInputError('0 is not allowed as CIDR prefix length');
  if (row.ipVersion === 6 && cidr.first === 0n)
    throw new InvalidInputError("IPv6 subnet '::' is not supported");
  if (row.enableDhcp) checkForDhcp(row, cidr);
  const gateway = gatewayOf(row);
  checkPools(row.allocationPools, cidr, row.cidr, gateway);
  if (row.dnsNameservers.length > MAX_NAMESERVERS)
    throw new errors.DNSNameServersExhaustedError(id, MAX_NAMESERVERS);
  for (const server of row.dnsNameservers) expectVersion(row, 'dns_nameserver', server);
  if (row.hostRoutes.length > MAX_ROUTES) throw new errors.HostRoutesExhaustedError(id, MAX_ROUTES);
  for (const { destination, nexthop } of row.hostRoutes) {
    expectVersion(row, 'destination', destination);
    expectVersion(row, 'nexthop', nexthop);
  }
  const odd = row.serviceTypes.find((type) => !OWNERS.test(type));
  if (odd !== undefined) throw new errors.InvalidSubnetServiceTypeError(odd);
  checkModes(row, cidr);
}

/**
 * Validates a new or changed gateway. Public source: neutron, `_validate_subnet` and
 * `_validate_gateway_ip_in_subnet` in `ipam/requests.py`.
 * @param isGiven whether the client named it
 * @throws InvalidInputError for an address that a host of the subnet cannot have
 * @throws IpamValueInvalidError for a /31, whose default gateway is the last address
 */
export function checkGateway(
  { gatewayIp, cidr }: Pick<SubnetRow, 'gatewayIp' | 'cidr'>,
  isGiven = true,
): void {
  const gateway = gatewayIp === null ? undefined : parseIp(gatewayIp);
  if (gatewayIp === null || !gateway || !isEdge(cidrOf(cidr), gateway)) return;
  if (!isGiven) throw new errors.IpamValueInvalidError(gatewayIp, cidr);
  throw new InvalidInputError(`Gateway ${gatewayIp} is not valid on subnet ${cidr}`);
}

function gatewayOf({ gatewayIp, ...row }: SubnetRow): IpAddress | undefined {
  if (gatewayIp === null) return undefined;
  expectVersion(row, 'gateway_ip', gatewayIp);
  return parseIp(gatewayIp);
}

function checkForDhcp({ ipVersion, cidr: text }: SubnetRow, cidr: Cidr): void {
  if (cidr.prefix > MAX_DHCP_PREFIX[ipVersion]) {
    throw new InvalidInputError(
      `Subnet ${text} has a prefix length that is incompatible with DHCP service enabled`,
    );
  }
  const refused = UNSUITABLE.find(([range]) => {
    const { first, version } = cidrOf(range);
    return (
      version === ipVersion &&
      contains(cidrOf(range), { version, value: cidr.first }) &&
      first <= cidr.first
    );
  });
  if (refused) {
    throw new InvalidInputError(
      `${refused[1]} IP subnet ${text} is not supported if enable_dhcp is True`,
    );
  }
}

const UNSUITABLE = [
  ['224.0.0.0/4', 'Multicast'],
  ['ff00::/8', 'Multicast'],
  ['127.0.0.0/8', 'Loopback'],
  ['::1/128', 'Loopback'],
  ['0.0.0.0/32', 'Unspecified'],
] as const;

function checkModes({ ipVersion, ...row }: SubnetRow, cidr: Cidr): void {
  const { ipv6RaMode: ra, ipv6AddressMode: address } = row;
  if (ra === null && address === null) return;
  if (ipVersion === 4) {
    const name = ra === null ? 'ipv6_address_mode' : 'ipv6_ra_mode';
    throw new InvalidInputError(`${name} is not valid when ip_version is 4`);
  }
  if (!row.enableDhcp)
    throw new InvalidInputError(
      'ipv6_ra_mode or ipv6_address_mode cannot be set when enable_dhcp is set to False',
    );
  if (ra !== null && address !== null && ra !== address) {
    throw new InvalidInputError(
      `ipv6_ra_mode set to '${ra}' with ipv6_address_mode set to '${address}' is not valid. If both attributes are set, they must be the same value`,
    );
  }
  if ((address ?? ra) !== 'dhcpv6-stateful' && cidr.prefix !== 64) {
    throw new InvalidInputError(
      `Invalid CIDR ${row.cidr} for IPv6 address mode. OpenStack uses the EUI-64 address format, which requires the prefix to be /64`,
    );
  }
}

function expectVersion(
  { ipVersion }: Pick<SubnetRow, 'ipVersion'>,
  name: string,
  value: string,
): void {
  const [address = ''] = value.split('/');
  if (parseIp(address)?.version === ipVersion) return;
  throw new InvalidInputError(`${name} '${value}' does not match the ip_version '${ipVersion}'`);
}

function cidrOf(text: string): Cidr {
  const cidr = parseCidr(text);
  if (!cidr) throw new InvalidInputError(`'${text}' is not a valid IP subnet`);
  return cidr;
}

/** Whether it is an IPv4 network or broadcast address, also of a /31 and a /32. */
function isEdge(cidr: Cidr, { version, value }: IpAddress): boolean {
  return version === 4 && cidr.version === 4 && (value === cidr.first || value === cidr.last);
}

/**
 * In IPv4, the second address, which for a /32 is outside of the subnet. Public source: neutron,
 * `_gateway_ip_str` in `db/ipam_backend_mixin.py`.
 */
function defaultGateway(text: string, cidr: Cidr): string | null {
  if (cidr.version === 4) return formatIp({ version: 4, value: cidr.first + 1n });
  const [pool] = defaultPools(cidr, undefined);
  return cidr.first === cidr.last ? null : (pool?.start ?? text);
}
