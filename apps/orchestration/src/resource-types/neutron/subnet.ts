import { isIP } from 'node:net';
import {
  attribute,
  custom,
  flag,
  integer,
  listOf,
  mapOf,
  named,
  olderName,
  oneOf,
  range,
  tags,
  text,
} from '../declare.js';
import { given, isGiven, listIn, numberIn, textIn, type Fields } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import {
  changesTags,
  checkApart,
  checkSome,
  checkSpecs,
  networkApi,
  specsOf,
  tagsOf,
  VALUE_SPECS,
} from './network-type.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const MODES = oneOf('dhcpv6-stateful', 'dhcpv6-stateless', 'slaac');

export const subnet = restResource({
  name: 'OS::Neutron::Subnet',
  description: 'A block of addresses of a network, and what its hosts are told by DHCP.',
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
    cidr: text('Its block.', { constraints: [custom('net_cidr')] }),
    value_specs: VALUE_SPECS,
    name: text('The name of the subnet.', { updatable: true }),
    ip_version: integer('The version of its addresses.', {
      default: 4,
      constraints: [oneOf(4, 6)],
    }),
    dns_nameservers: listOf(text('An address.'), 'The name servers that its hosts are told.', {
      default: [],
      updatable: true,
    }),
    gateway_ip: text(
      'The gateway that its hosts are told: an address, an empty text for none, or `auto`; by default the first address of the block.',
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
    tenant_id: text('The project whose it is to be; only administrators may choose another.'),
    host_routes: listOf(
      mapOf(
        {
          destination: text('Where it leads.', {
            required: true,
            constraints: [custom('net_cidr')],
          }),
          nexthop: text('By way of which address.', {
            required: true,
            constraints: [custom('ip_addr')],
          }),
        },
        'A route.',
      ),
      'The routes that its hosts are told.',
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
    tenant_id: attribute('string', 'The project whose it is.'),
    allocation_pools: attribute('list', 'The ranges that ports get their addresses from.'),
    gateway_ip: attribute('string', 'The gateway that its hosts are told.'),
    host_routes: attribute('list', 'The routes that its hosts are told.'),
    ip_version: attribute('string', 'The version of its addresses.'),
    cidr: attribute('string', 'Its block.'),
    dns_nameservers: attribute('list', 'The name servers that its hosts are told.'),
    enable_dhcp: attribute('string', 'Whether DHCP serves it.'),
  },
  validate,
  body: (properties, scope) => ({
    ...specsOf(properties),
    ...given(properties, 'prefixlen', 'cidr', 'ip_version', 'dns_nameservers', 'enable_dhcp'),
    ...given(properties, 'allocation_pools', 'tenant_id', 'host_routes'),
    ...given(properties, 'ipv6_ra_mode', 'ipv6_address_mode'),
    ...tagsOf(properties),
    ...gatewayOf(properties),
    name: nameOf(properties, scope),
    network_id: textIn(properties, 'network'),
    subnetpool_id: textIn(properties, 'subnetpool'),
    segment_id: textIn(properties, 'segment'),
  }),
  change: {
    method: 'PUT',
    createOnly: ['tags'],
    cleared: { allocation_pools: [], host_routes: [], dns_nameservers: [] },
    aside: changesTags('subnets'),
  },
});

const NO_GATEWAY = ['', '~'];

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
