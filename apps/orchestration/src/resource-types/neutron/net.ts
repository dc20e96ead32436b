import type { Properties } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import { attribute, custom, flag, list, named, oneOf, tags, text } from '../declare.js';
import { asText, isGiven, listIn, textIn, type Fields } from '../property-values.js';
import { restResource, type AttributeReader } from '../rest-resource.js';
import {
  BUILT,
  changesTags,
  checkSpecs,
  networkApi,
  onlyIfTrue,
  VALUE_SPECS,
} from './network-type.js';

/** Networks do not list their segments. */
export const segmentsOf: AttributeReader = async ({ id }, _scope, calls) =>
  (await calls.find('/v2.0/segments', { network_id: asText(id) }))?.['segments'] ?? [];

export const net = restResource({
  name: 'OS::Neutron::Net',
  description: 'A network of a project: one that no other can look into unless it is shared.',
  api: networkApi('network'),
  properties: {
    name: text('The name of the network; others may have the same.', { updatable: true }),
    value_specs: VALUE_SPECS,
    admin_state_up: flag('Whether the network carries packets.', {
      default: true,
      updatable: true,
    }),
    tenant_id: text('The project that owns it; only administrators may name another.'),
    shared: flag('Whether all projects may use it; for administrators.', {
      default: false,
      updatable: true,
    }),
    dhcp_agent_ids: list('DHCP agents that serve it, where a cloud has such agents.', {
      updatable: true,
    }),
    port_security_enabled: flag('Whether its ports are held to their addresses by default.', {
      updatable: true,
      since: '5.0.0',
    }),
    qos_policy: named('neutron.qos_policy', 'The QoS policy of its traffic.', {
      updatable: true,
      since: '6.0.0',
    }),
    dns_domain: text('The domain of the names of its ports.', {
      constraints: [custom('dns_domain')],
      updatable: true,
      since: '7.0.0',
    }),
    availability_zone_hints: list('Hints for the availability zones.', {
      since: '19.0.0',
    }),
    tags: tags('network'),
  },
  attributes: {
    status: attribute('string', 'The status of the network.'),
    name: attribute('string', 'The name of the network.'),
    subnets: attribute('list', 'The ids of its subnets.'),
    admin_state_up: attribute('string', 'Whether it carries packets.'),
    tenant_id: attribute('string', 'The ID of the project that owns it.'),
    port_security_enabled: attribute(
      'boolean',
      'Whether its ports are held to their addresses by default.',
      '5.0.0',
    ),
    mtu: attribute('integer', 'The MTU in bytes.', '5.0.0'),
    qos_policy_id: attribute('string', 'The QoS policy of its traffic.', '6.0.0'),
    l2_adjacency: attribute('boolean', 'Whether all of it is one layer 2.', '9.0.0'),
    segments: { ...attribute('list', 'The segments of the network.', '11.0.0'), from: segmentsOf },
  },
  validate(properties) {
    checkSpecs(properties);
    if ((listIn(properties, 'dhcp_agent_ids') ?? []).length > 0)
      throw new PropertyError('dhcp_agent_ids', 'Networks of this cloud are not served by agents.');
  },
  fields: { dhcp_agent_ids: null, qos_policy: 'qos_policy_id' },
  body: (properties) => onlyIfTrue(properties, 'shared'),
  states: BUILT,
  change: {
    method: 'PUT',
    createOnly: ['tags'],
    cleared: { shared: false, dns_domain: '', port_security_enabled: true },
    aside: changesTags('networks'),
  },
});

const TYPES = ['local', 'vlan', 'vxlan', 'gre', 'geneve', 'flat'] as const;

/** The network types that do not allow each property. */
const WITHOUT: Readonly<Record<string, readonly (typeof TYPES)[number][]>> = {
  segmentation_id: ['local', 'flat'],
  physical_network: ['vxlan', 'gre', 'geneve', 'local'],
};

export const providerNet = restResource({
  name: 'OS::Neutron::ProviderNet',
  description: 'A network on a physical one, or in a tunnel of a number; for administrators.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  api: networkApi('network'),
  properties: {
    name: text('The name of the network; others may have the same.', { updatable: true }),
    network_type: text('The type of the physical network.', {
      required: true,
      updatable: true,
      constraints: [oneOf(...TYPES)],
    }),
    physical_network: text('The physical network that it is on.', { updatable: true }),
    segmentation_id: text('The ID of the VLAN or tunnel.', { updatable: true }),
    admin_state_up: flag('Whether the network carries packets.', {
      default: true,
      updatable: true,
    }),
    shared: flag('Whether all projects may use it.', { default: true, updatable: true }),
    port_security_enabled: flag('Whether its ports are held to their addresses by default.', {
      updatable: true,
      since: '8.0.0',
    }),
    router_external: flag('Whether the network is external.', {
      default: false,
      updatable: true,
      since: '6.0.0',
    }),
    dns_domain: text('The domain of the names of its ports.', {
      constraints: [custom('dns_domain')],
      updatable: true,
      since: '15.0.0',
    }),
    availability_zone_hints: list('Hints for the availability zones.', {
      updatable: true,
      since: '19.0.0',
    }),
    tags: tags('network', '12.0.0'),
    tenant_id: text('The project that owns it.', { since: '24.0.0' }),
  },
  attributes: {
    status: attribute('string', 'The status of the network.'),
    subnets: attribute('list', 'The ids of its subnets.'),
    segments: { ...attribute('list', 'The segments of the network.', '16.0.0'), from: segmentsOf },
  },
  validate,
  fields: {
    network_type: 'provider:network_type',
    physical_network: 'provider:physical_network',
    segmentation_id: 'provider:segmentation_id',
    router_external: 'router:external',
  },
  body: segmentOf,
  states: BUILT,
  change: {
    method: 'PUT',
    createOnly: ['tags'],
    fixed: ['network_type', 'physical_network', 'segmentation_id'],
    cleared: { dns_domain: '', port_security_enabled: true, availability_zone_hints: [] },
    aside: changesTags('networks'),
  },
});

function segmentOf(properties: Properties): Fields {
  const number = textIn(properties, 'segmentation_id') ?? '';
  // The service rejects anything else.
  return /^\d{1,9}$/.test(number) ? { 'provider:segmentation_id': Number(number) } : {};
}

function validate(properties: Properties): void {
  const type = textIn(properties, 'network_type') ?? '';
  for (const [name, types] of Object.entries(WITHOUT))
    if (isGiven(properties, name) && types.some((one) => one === type))
      throw new PropertyError(name, `${name} not allowed for network types: ${types.join(', ')}.`);
}
