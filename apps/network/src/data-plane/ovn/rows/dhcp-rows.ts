/** Options of OVN's own DHCP server. Public source: ovn-nb(5), "DHCP_Options". */
import { createHash } from 'node:crypto';
import { dhcpValue, dhcpValues, ownOption } from '../../../languages/ovn-dhcp.js';
import type { DhcpValue, DhcpValues } from '../../../languages/ovn-dhcp.js';
import { network, plains, type OvsdbText } from '../../../languages/ovsdb-text.js';
import type { NetworkSpec, PortSpec, SubnetSpec } from '../../data-plane.js';
import { METADATA_ADDRESS } from './metadata-rows.js';
import { derivedId, partOf, type WantedRow } from './northbound.js';

/** Seconds, as in Neutron. */
const LEASE_SECONDS = '43200';
/** For a subnet without gateway or metadata; clients then renew leases by broadcast. */
const NO_SERVER = METADATA_ADDRESS;
const DOMAIN_OPTIONS = { 4: 'domain_name', 6: 'domain_search' } as const;

export function dhcpRows(network: NetworkSpec): WantedRow[] {
  return network.subnets.flatMap((subnet) => {
    const options = subnetOptions(network, subnet);
    return options ? [dhcpRow(subnet.id, network.id, subnet, options)] : [];
  });
}

export interface PortDhcp {
  /** Rows for ports with options of their own. */
  readonly rows: readonly WantedRow[];
  /** References the row with its options; empty if DHCP does not answer the port. */
  readonly dhcpv4_options: readonly OvsdbText[];
  readonly dhcpv6_options: readonly OvsdbText[];
}

/** DHCP answers a port for its first address of each IP version whose subnet has DHCP. */
export function portDhcp(port: PortSpec, network: NetworkSpec): PortDhcp {
  const found: Found = { rows: [], ids: { 4: [], 6: [] } };
  if (port.dhcpOptions.some(isSwitchedOff)) return answer(found);
  for (const { subnetId } of port.addresses) {
    const subnet = network.subnets.find(({ id }) => id === subnetId);
    const options = subnet && subnetOptions(network, subnet);
    if (!options) continue;
    const version = versionOf(subnet);
    if (found.ids[version].length > 0) continue;
    const own = ownOptions(port, version);
    if (own.size === 0) {
      found.ids[version].push(subnet.id);
      continue;
    }
    const id = derivedId(port.id, 'dhcp', String(version));
    found.ids[version].push(id);
    found.rows.push(dhcpRow(id, port.id, subnet, withOwn(options, own)));
  }
  return answer(found);
}

/**
 * @returns a sentence for each of a port's options that OVN does not support. The API refuses
 * these; they are in rows of earlier versions.
 */
export function unsupportedOptions({ dhcpOptions }: PortSpec): string[] {
  return dhcpOptions.flatMap(({ name, value, ipVersion }) => {
    const option = ownOption(ipVersion === 6 ? 6 : 4, name, value);
    return option && 'fault' in option ? [option.fault] : [];
  });
}

/** The same for a network's domain. */
export function unsupportedDomain(network: NetworkSpec): string[] {
  const domain = domainOf(network);
  const versions = new Set(network.subnets.map(versionOf));
  if (domain === undefined) return [];
  return [...versions]
    .filter((version) => dhcpValue(version, DOMAIN_OPTIONS[version], domain) === undefined)
    .map((version) => `DHCP of IPv${version} does not support this domain`);
}

interface Found {
  readonly rows: WantedRow[];
  /** Of rows, by IP version. */
  readonly ids: Readonly<Record<4 | 6, string[]>>;
}

function answer({ rows, ids }: Found): PortDhcp {
  return { rows, dhcpv4_options: plains(ids[4]), dhcpv6_options: plains(ids[6]) };
}

function dhcpRow(id: string, owner: string, { cidr }: SubnetSpec, options: DhcpValues): WantedRow {
  return { table: 'DHCP_Options', id, row: { cidr: network(cidr), options, ...partOf(owner) } };
}

function versionOf({ cidr }: SubnetSpec): 4 | 6 {
  return cidr.includes(':') ? 6 : 4;
}

/** @returns undefined for a subnet without DHCP */
function subnetOptions(network: NetworkSpec, subnet: SubnetSpec): DhcpValues | undefined {
  if (!subnet.enableDhcp) return undefined;
  if (versionOf(subnet) === 4) return options4(network, subnet);
  const mode = subnet.ipv6AddressMode;
  if (mode !== 'dhcpv6-stateful' && mode !== 'dhcpv6-stateless') return undefined;
  return dhcpValues(6, {
    server_id: macOf(subnet.id),
    dns_server: listOf(subnet.dnsNameservers),
    [DOMAIN_OPTIONS[6]]: domainOf(network),
    dhcpv6_stateless: mode === 'dhcpv6-stateless' ? 'true' : undefined,
  });
}

function options4(network: NetworkSpec, subnet: SubnetSpec): DhcpValues {
  const { gatewayIp, hostRoutes } = subnet;
  const way = gatewayIp === null ? [] : [{ destination: '0.0.0.0/0', nexthop: gatewayIp }];
  const nexthop = network.metadataPort?.addresses.find(
    (one) => one.subnetId === subnet.id,
  )?.address;
  const metadata =
    nexthop === undefined ? [] : [{ destination: `${METADATA_ADDRESS}/32`, nexthop }];
  const special = [...metadata, ...hostRoutes];
  // Clients that support this option ignore `router` (RFC 3442).
  const routes = special.length === 0 ? [] : [...special, ...way];
  return dhcpValues(4, {
    server_id: gatewayIp ?? nexthop ?? NO_SERVER,
    server_mac: macOf(subnet.id),
    lease_time: LEASE_SECONDS,
    mtu: String(network.mtu),
    router: gatewayIp ?? undefined,
    classless_static_route: listOf(routes.flatMap((one) => [one.destination, one.nexthop])),
    dns_server: listOf(subnet.dnsNameservers),
    [DOMAIN_OPTIONS[4]]: domainOf(network),
  });
}

function listOf(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : items.join(',');
}

function domainOf({ dnsDomain }: NetworkSpec): string | undefined {
  const domain = dnsDomain.replace(/\.$/, '');
  return domain === '' ? undefined : domain;
}

/** Null for an option that is to be left out. */
function ownOptions(port: PortSpec, version: 4 | 6): ReadonlyMap<string, DhcpValue | null> {
  const own = port.dhcpOptions.filter(({ ipVersion }) => ipVersion === version);
  return new Map(
    own.flatMap(({ name, value }) => {
      const option = ownOption(version, name, value);
      return option && 'name' in option ? [[option.name, option.value] as const] : [];
    }),
  );
}

function withOwn(options: DhcpValues, own: ReadonlyMap<string, DhcpValue | null>): DhcpValues {
  const all = [...Object.entries(options).filter(([name]) => !own.has(name)), ...own];
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  );
}

function isSwitchedOff({ name, value }: PortSpec['dhcpOptions'][number]): boolean {
  return name === 'dhcp_disabled' && value.toLowerCase() === 'true';
}

/** The MAC of the DHCP server of a subnet: locally administered, and not a port's. */
function macOf(subnetId: string): string {
  const bytes = createHash('sha256').update(subnetId).digest('hex').slice(0, 8);
  return ['0a', '00', ...(bytes.match(/../g) ?? [])].join(':');
}
