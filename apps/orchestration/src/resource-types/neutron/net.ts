import { attribute, custom, flag, list, named, tags, text } from '../declare.js';
import { asText, flagIn, given, listIn, textIn } from '../property-values.js';
import { nameOf, restResource, type AttributeReader } from '../rest-resource.js';
import {
  BUILT,
  changesTags,
  checkSpecs,
  networkApi,
  specsOf,
  tagsOf,
  VALUE_SPECS,
} from './network-type.js';
import { PropertyError } from '../../constraints/property.errors.js';

/** Of a network, which does not say them itself. */
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
    tenant_id: text('The project whose it is to be; only administrators may choose another.'),
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
    availability_zone_hints: list('Availability zones that it would rather be in.', {
      since: '19.0.0',
    }),
    tags: tags('network'),
  },
  attributes: {
    status: attribute('string', 'The status of the network.'),
    name: attribute('string', 'The name of the network.'),
    subnets: attribute('list', 'The ids of its subnets.'),
    admin_state_up: attribute('string', 'Whether it carries packets.'),
    tenant_id: attribute('string', 'The project whose it is.'),
    port_security_enabled: attribute(
      'boolean',
      'Whether its ports are held to their addresses by default.',
      '5.0.0',
    ),
    mtu: attribute('integer', 'Bytes that a packet may have.', '5.0.0'),
    qos_policy_id: attribute('string', 'The QoS policy of its traffic.', '6.0.0'),
    l2_adjacency: attribute('boolean', 'Whether all of it is one layer 2.', '9.0.0'),
    segments: { ...attribute('list', 'The segments of the network.', '11.0.0'), from: segmentsOf },
  },
  validate(properties) {
    checkSpecs(properties);
    if ((listIn(properties, 'dhcp_agent_ids') ?? []).length > 0)
      throw new PropertyError('dhcp_agent_ids', 'Networks of this cloud are not served by agents.');
  },
  body: (properties, scope) => ({
    ...specsOf(properties),
    ...given(properties, 'admin_state_up', 'tenant_id', 'port_security_enabled', 'dns_domain'),
    ...given(properties, 'availability_zone_hints'),
    ...tagsOf(properties),
    name: nameOf(properties, scope),
    // Whoever may not share must not even say that it is not shared.
    shared: flagIn(properties, 'shared') === true ? true : undefined,
    qos_policy_id: textIn(properties, 'qos_policy'),
  }),
  states: BUILT,
  change: {
    method: 'PUT',
    createOnly: ['tags'],
    cleared: { shared: false, dns_domain: '', port_security_enabled: true },
    aside: changesTags('networks'),
  },
});
