/**
 * What OVN's own DHCP tells the ports of a subnet. Public sources: ovn-nb(5), "DHCP_Options";
 * neutron, `common/ovn/constants.py` for the names of options.
 */
import { createHash } from 'node:crypto';
import type { NetworkSpec, PortSpec, SubnetSpec } from '../../data-plane.js';
import { METADATA_ADDRESS } from './metadata-rows.js';
import { derivedId, partOf, type WantedRow } from './northbound.js';

/** Seconds, as Neutron's. */
const LEASE_SECONDS = '43200';
/** Of a subnet without a gateway or metadata, whose lease clients then renew by broadcast. */
const NO_SERVER = METADATA_ADDRESS;

type Options = Readonly<Record<string, string>>;

/** The name of an option of a port → OVN's, by the version of IP. */
const NAMES: Readonly<Record<number, Options>> = {
  4: {
    netmask: 'netmask',
    1: 'netmask',
    router: 'router',
    3: 'router',
    'dns-server': 'dns_server',
    6: 'dns_server',
    'log-server': 'log_server',
    7: 'log_server',
    'lpr-server': 'lpr_server',
    9: 'lpr_server',
    'domain-name': 'domain_name',
    15: 'domain_name',
    'swap-server': 'swap_server',
    16: 'swap_server',
    'ip-forward-enable': 'ip_forward_enable',
    19: 'ip_forward_enable',
    'policy-filter': 'policy_filter',
    21: 'policy_filter',
    'default-ttl': 'default_ttl',
    23: 'default_ttl',
    mtu: 'mtu',
    26: 'mtu',
    'router-discovery': 'router_discovery',
    31: 'router_discovery',
    'router-solicitation': 'router_solicitation',
    32: 'router_solicitation',
    'arp-timeout': 'arp_cache_timeout',
    35: 'arp_cache_timeout',
    'ethernet-encap': 'ethernet_encap',
    36: 'ethernet_encap',
    'tcp-ttl': 'tcp_ttl',
    37: 'tcp_ttl',
    'tcp-keepalive': 'tcp_keepalive_interval',
    38: 'tcp_keepalive_interval',
    'nis-server': 'nis_server',
    41: 'nis_server',
    'ntp-server': 'ntp_server',
    42: 'ntp_server',
    'lease-time': 'lease_time',
    51: 'lease_time',
    'server-id': 'server_id',
    54: 'server_id',
    T1: 'T1',
    58: 'T1',
    T2: 'T2',
    59: 'T2',
    'tftp-server': 'tftp_server',
    66: 'tftp_server',
    'bootfile-name': 'bootfile_name',
    67: 'bootfile_name',
    'bootfile-name-alt': 'bootfile_name_alt',
    'domain-search': 'domain_search_list',
    119: 'domain_search_list',
    'classless-static-route': 'classless_static_route',
    121: 'classless_static_route',
    'tftp-server-address': 'tftp_server_address',
    150: 'tftp_server_address',
    'path-prefix': 'path_prefix',
    210: 'path_prefix',
    'ms-classless-static-route': 'ms_classless_static_route',
    249: 'ms_classless_static_route',
    wpad: 'wpad',
    252: 'wpad',
    'server-ip-address': 'next_server',
    255: 'next_server',
  },
  6: {
    'server-id': 'server_id',
    2: 'server_id',
    'ia-addr': 'ia_addr',
    5: 'ia_addr',
    'dns-server': 'dns_server',
    23: 'dns_server',
    'domain-search': 'domain_search',
    24: 'domain_search',
  },
};

/** Those whose values OVN takes in quotation marks. */
const TEXTS = new Set([
  'domain_name',
  'domain_search_list',
  'bootfile_name',
  'bootfile_name_alt',
  'path_prefix',
  'wpad',
  'tftp_server',
]);

/** The rows of a network's subnets. */
export function dhcpRows(network: NetworkSpec): WantedRow[] {
  return network.subnets.flatMap((subnet) => {
    const options = subnetOptions(network, subnet);
    return options ? [dhcpRow(subnet.id, network.id, subnet, options)] : [];
  });
}

export interface PortDhcp {
  /** Rows that the port has for itself, for options of its own. */
  readonly rows: readonly WantedRow[];
  /** Of the row that answers it; none where nothing does. */
  readonly dhcpv4_options: readonly string[];
  readonly dhcpv6_options: readonly string[];
}

/** A port is answered for its first address of each version whose subnet has DHCP. */
export function portDhcp(port: PortSpec, network: NetworkSpec): PortDhcp {
  const found = { rows: [] as WantedRow[], ids: { 4: [] as string[], 6: [] as string[] } };
  if (port.dhcpOptions.some(isSwitchedOff)) return answer(found);
  for (const { subnetId } of port.addresses) {
    const subnet = network.subnets.find(({ id }) => id === subnetId);
    const options = subnet && subnetOptions(network, subnet);
    if (!options) continue;
    const version = versionOf(subnet);
    if (found.ids[version].length > 0) continue;
    const own = ownOptions(port, version);
    if (Object.keys(own).length === 0) {
      found.ids[version].push(subnet.id);
      continue;
    }
    const id = derivedId(port.id, 'dhcp', String(version));
    found.ids[version].push(id);
    found.rows.push(dhcpRow(id, port.id, subnet, { ...options, ...own }));
  }
  return answer(found);
}

function answer({ rows, ids }: { rows: WantedRow[]; ids: { 4: string[]; 6: string[] } }): PortDhcp {
  return { rows, dhcpv4_options: ids[4], dhcpv6_options: ids[6] };
}

function dhcpRow(id: string, owner: string, { cidr }: SubnetSpec, options: Options): WantedRow {
  return { table: 'DHCP_Options', id, row: { cidr, options, ...partOf(owner) } };
}

function versionOf({ cidr }: SubnetSpec): 4 | 6 {
  return cidr.includes(':') ? 6 : 4;
}

/** @returns undefined for a subnet without DHCP */
function subnetOptions(network: NetworkSpec, subnet: SubnetSpec): Options | undefined {
  if (!subnet.enableDhcp) return undefined;
  if (versionOf(subnet) === 4) return options4(network, subnet);
  const mode = subnet.ipv6AddressMode;
  if (mode !== 'dhcpv6-stateful' && mode !== 'dhcpv6-stateless') return undefined;
  return {
    server_id: macOf(subnet.id),
    ...named(network, subnet),
    ...(mode === 'dhcpv6-stateless' ? { dhcpv6_stateless: 'true' } : {}),
  };
}

function options4(network: NetworkSpec, subnet: SubnetSpec): Options {
  const { gatewayIp, hostRoutes } = subnet;
  const way = gatewayIp === null ? [] : [{ destination: '0.0.0.0/0', nexthop: gatewayIp }];
  const nexthop = network.metadataPort?.addresses.find(
    (one) => one.subnetId === subnet.id,
  )?.address;
  const metadata =
    nexthop === undefined ? [] : [{ destination: `${METADATA_ADDRESS}/32`, nexthop }];
  const special = [...metadata, ...hostRoutes];
  // Who reads this option ignores `router` (RFC 3442).
  const routes = special.length === 0 ? [] : [...special, ...way];
  return {
    server_id: gatewayIp ?? nexthop ?? NO_SERVER,
    server_mac: macOf(subnet.id),
    lease_time: LEASE_SECONDS,
    mtu: String(network.mtu),
    ...(gatewayIp === null ? {} : { router: gatewayIp }),
    ...(routes.length === 0
      ? {}
      : {
          classless_static_route: `{${routes
            .map((route) => `${route.destination},${route.nexthop}`)
            .join(', ')}}`,
        }),
    ...named(network, subnet),
  };
}

/** Name servers, and the domain. */
function named({ dnsDomain }: NetworkSpec, subnet: SubnetSpec): Options {
  const { dnsNameservers } = subnet;
  const domain = dnsDomain.replace(/\.$/, '');
  const key = versionOf(subnet) === 4 ? 'domain_name' : 'domain_search';
  return {
    ...(dnsNameservers.length === 0 ? {} : { dns_server: `{${dnsNameservers.join(', ')}}` }),
    ...(domain === '' ? {} : { [key]: `"${domain}"` }),
  };
}

function ownOptions(port: PortSpec, version: 4 | 6): Options {
  const own = port.dhcpOptions.filter(({ ipVersion }) => ipVersion === version);
  return Object.fromEntries(
    own.flatMap(({ name, value }) => {
      const option = NAMES[version]?.[name];
      if (option === undefined) return [];
      return [[option, TEXTS.has(option) ? `"${value.replaceAll('"', '')}"` : value]];
    }),
  );
}

function isSwitchedOff({ name, value }: PortSpec['dhcpOptions'][number]): boolean {
  return name === 'dhcp_disabled' && value.toLowerCase() === 'true';
}

/** Of the server that a subnet's clients see; locally administered, and none of a port. */
function macOf(subnetId: string): string {
  const bytes = createHash('sha256').update(subnetId).digest('hex').slice(0, 8);
  return ['0a', '00', ...(bytes.match(/../g) ?? [])].join(':');
}
