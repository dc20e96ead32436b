import { isIP } from 'node:net';
import type { Properties } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import {
  attribute,
  custom,
  flag,
  integer,
  lengths,
  listOf,
  mapOf,
  named,
  olderName,
  oneOf,
  range,
  tags,
  text,
} from '../declare.js';
import { isGiven, listIn, numberIn, textIn, type Fields } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import {
  changesTags,
  checkApart,
  checkSome,
  checkSpecs,
  networkApi,
  onlyIfTrue,
  VALUE_SPECS,
} from './network-type.js';

const MODES = oneOf('dhcpv6-stateful', 'dhcpv6-stateless', 'slaac');

const NO_GATEWAY = ['', '~'];

export const subnet = restResource({
  name: 'OS::Neutron::Subnet',
  description: 'A subnet of a network, and the DHCP options of its hosts.',
  api: networkApi('subnet'),
  properties: {
    network_id: olderName('network', '5.0.0', 'neutron.network'),
    network: named('neutron.network', 'The network that it is of.', {
      required: true,
      since: '2014.2',
    }),
    subnetpool: named('neutron.subnetpool', 'The pool that its block is taken from.', {
      since: '6.0.0',
    }),
    prefixlen: integer('The prefix length of a block that a pool gives.', {
      constraints: [range(0)],
      since: '6.0.0',
    }),
    cidr: text('The CIDR.', { constraints: [custom('net_cidr')] }),
    value_specs: VALUE_SPECS,
    name: text('The name of the subnet.', { updatable: true }),
    ip_version: integer('The version of its addresses.', {
      default: 4,
      constraints: [oneOf(4, 6)],
    }),
    dns_nameservers: listOf(text('An address.'), 'The DNS name servers of its hosts.', {
      default: [],
      updatable: true,
    }),
    gateway_ip: text(
      'The gateway: an address, an empty text for none, or `auto`; by default the first address of the CIDR.',
      { updatable: true },
    ),
    enable_dhcp: flag('Whether DHCP serves it.', { default: true, updatable: true }),
    allocation_pools: listOf(
      mapOf(
        {
          start: text('The first address.', {
            required: true,
            constraints: [custom('ip_addr')],
          }),
          end: text('The last address.', { required: true, constraints: [custom('ip_addr')] }),
        },
        'A range of addresses.',
      ),
      'The ranges that ports get their addresses from.',
      { updatable: true },
    ),
    tenant_id: text('The project that owns it; only administrators may name another.'),
    host_routes: listOf(
      mapOf(
        {
          destination: text('The destination network.', {
            required: true,
            constraints: [custom('net_cidr')],
          }),
          nexthop: text('The address of the next hop.', {
            required: true,
            constraints: [custom('ip_addr')],
          }),
        },
        'A route.',
      ),
      'The routes of its hosts.',
      { updatable: true },
    ),
    ipv6_ra_mode: text('What router advertisements say.', {
      constraints: [MODES],
      since: '2015.1',
    }),
    ipv6_address_mode: text('How hosts come by their addresses of IPv6.', {
      constraints: [MODES],
      since: '2015.1',
    }),
    segment: named('neutron.segment', 'The segment that it is of.', {
      updatable: true,
      since: '11.0.0',
    }),
    tags: tags('subnet'),
  },
  attributes: {
    name: attribute('string', 'The name of the subnet.'),
    network_id: attribute('string', 'The network that it is of.'),
    tenant_id: attribute('string', 'The ID of the project that owns it.'),
    allocation_pools: attribute('list', 'The ranges that ports get their addresses from.'),
    gateway_ip: attribute('string', 'The gateway.'),
    host_routes: attribute('list', 'The routes of its hosts.'),
    ip_version: attribute('string', 'The version of its addresses.'),
    cidr: attribute('string', 'The CIDR.'),
    dns_nameservers: attribute('list', 'The DNS name servers of its hosts.'),
    enable_dhcp: attribute('string', 'Whether DHCP serves it.'),
  },
  validate,
  fields: {
    network: 'network_id',
    subnetpool: 'subnetpool_id',
    segment: 'segment_id',
    gateway_ip: null,
  },
  body: gatewayOf,
  change: {
    method: 'PUT',
    createOnly: ['tags'],
    cleared: { allocation_pools: [], host_routes: [], dns_nameservers: [] },
    aside: changesTags('subnets'),
  },
});

function gatewayOf(properties: Properties): Fields {
  const gateway = textIn(properties, 'gateway_ip');
  if (gateway === undefined || gateway === 'auto') return {};
  return { gateway_ip: NO_GATEWAY.includes(gateway) ? null : gateway };
}

function validate(properties: Properties): void {
  checkSpecs(properties);
  checkApart(properties, 'subnetpool', 'cidr');
  checkSome(properties, 'subnetpool', 'cidr');
  checkApart(properties, 'prefixlen', 'cidr');
  const modes = ['ipv6_ra_mode', 'ipv6_address_mode'];
  const [advertised, addressed] = modes.map((mode) => textIn(properties, mode));
  if (numberIn(properties, 'ip_version') === 4 && modes.some((mode) => isGiven(properties, mode)))
    throw new PropertyError(
      'ipv6_ra_mode',
      'ipv6_ra_mode and ipv6_address_mode are not supported for ipv4.',
    );
  if (advertised !== undefined && addressed !== undefined && advertised !== addressed)
    throw new PropertyError(
      'ipv6_ra_mode',
      `ipv6_ra_mode ${advertised} and ipv6_address_mode ${addressed} must be equal.`,
    );
  const gateway = textIn(properties, 'gateway_ip');
  const isGood = gateway === undefined || gateway === 'auto' || NO_GATEWAY.includes(gateway);
  if (!isGood && isIP(gateway) === 0)
    throw new PropertyError('gateway_ip', `Gateway IP address "${gateway}" is in invalid format.`);
  for (const [at, one] of (listIn(properties, 'dns_nameservers') ?? []).entries())
    if (typeof one === 'string' && isIP(one) === 0)
      throw new PropertyError(`dns_nameservers[${at}]`, `"${one}" is not an IP address.`);
}

const LENGTH = { constraints: [range(0)], updatable: true } as const;

export const subnetPool = restResource({
  name: 'OS::Neutron::SubnetPool',
  description: 'Blocks of addresses that subnets are taken from.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: networkApi('subnetpool'),
  properties: {
    name: text('The name of the pool.', { updatable: true }),
    prefixes: listOf(text('A CIDR.', { constraints: [custom('net_cidr')] }), 'The CIDRs.', {
      constraints: [lengths(1)],
      required: true,
      updatable: true,
    }),
    address_scope: named('neutron.address_scope', 'The address scope that it is in.', {
      updatable: true,
    }),
    default_quota: integer('How much of it a project may have.', LENGTH),
    default_prefixlen: integer('The prefix length of a subnet that asks for none.', LENGTH),
    min_prefixlen: integer('The least prefix length of a subnet.', LENGTH),
    max_prefixlen: integer('The greatest prefix length of a subnet.', LENGTH),
    is_default: flag('Whether subnets are of it that name none; for administrators.', {
      default: false,
      updatable: true,
    }),
    tenant_id: text('The project that owns it; only administrators may name another.'),
    shared: flag('Whether all projects may use it; for administrators.', { default: false }),
    tags: tags('subnet pool'),
  },
  attributes: {},
  validate(properties) {
    const [least, usual, greatest] = ['min_prefixlen', 'default_prefixlen', 'max_prefixlen'].map(
      (name) => numberIn(properties, name),
    );
    const isLess = (one: number | undefined, other: number | undefined): boolean =>
      one !== undefined && other !== undefined && one > other;
    if (isLess(least, greatest) || isLess(least, usual) || isLess(usual, greatest))
      throw new PropertyError(
        'min_prefixlen',
        `Prefix lengths must not fall: min_prefixlen ${least ?? '-'}, default_prefixlen ${usual ?? '-'}, max_prefixlen ${greatest ?? '-'}.`,
      );
  },
  fields: { address_scope: 'address_scope_id' },
  body: (properties) => onlyIfTrue(properties, 'is_default', 'shared'),
  change: {
    method: 'PUT',
    createOnly: ['tags'],
    cleared: { is_default: false },
    retained: ['default_prefixlen', 'min_prefixlen', 'max_prefixlen'],
    aside: changesTags('subnetpools'),
  },
});

export const addressScope = restResource({
  name: 'OS::Neutron::AddressScope',
  description: 'A space of addresses in which none is twice.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: networkApi('address_scope', 'address-scopes'),
  properties: {
    name: text('The name of the scope.', { updatable: true }),
    shared: flag('Whether all projects may use it; for administrators.', {
      default: false,
      updatable: true,
    }),
    tenant_id: named(
      'keystone.project',
      'The project that owns it; only administrators may name another.',
    ),
    ip_version: integer('The version of its addresses.', {
      default: 4,
      constraints: [oneOf(4, 6)],
    }),
  },
  attributes: {},
  body: (properties) => onlyIfTrue(properties, 'shared'),
  change: { method: 'PUT', cleared: { shared: false } },
});
