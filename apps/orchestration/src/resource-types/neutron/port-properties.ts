/** Properties of ports: those of their own type, and those of ports that servers ask for. */
import { custom, flag, listOf, map, mapOf, named, oneOf, text } from '../declare.js';
import type { Properties, PropertySchemas } from '../../constraints/property-schema.js';
import { given, mapsIn, textIn, withoutNulls, type Fields } from '../property-values.js';
import { specsOf } from './network-type.js';

/** What a port has that servers also give those that they ask for. */
export const EXTRA_PORT_PROPERTIES: PropertySchemas = {
  value_specs: map('Further fields of the request.', { default: {}, updatable: true }),
  admin_state_up: flag('Whether the port carries packets.', { default: true, updatable: true }),
  mac_address: text('Its MAC address; by default one that is free.', {
    constraints: [custom('mac_addr')],
  }),
  allowed_address_pairs: listOf(
    mapOf(
      {
        mac_address: text('A MAC address.', { constraints: [custom('mac_addr')] }),
        ip_address: text('An address or a block.', {
          required: true,
          constraints: [custom('ip_or_cidr')],
        }),
      },
      'A pair.',
    ),
    'What it may send from besides its own addresses.',
    { updatable: true },
  ),
  'binding:vnic_type': text('How it is plugged in.', {
    constraints: [
      oneOf(
        'normal',
        'direct',
        'macvtap',
        'direct-physical',
        'baremetal',
        'virtio-forwarder',
        'smart-nic',
      ),
    ],
    since: '2015.1',
    updatable: true,
    default: 'normal',
  }),
  port_security_enabled: flag('Whether it is held to its own addresses.', {
    updatable: true,
    since: '5.0.0',
  }),
  qos_policy: named('neutron.qos_policy', 'The QoS policy of its traffic.', {
    updatable: true,
    since: '6.0.0',
  }),
  propagate_uplink_status: flag('Whether it goes down with its uplink.', {
    updatable: true,
    since: '15.0.0',
  }),
  no_fixed_ips: flag('Whether it has no addresses at all.', {
    updatable: true,
    since: '16.0.0',
    default: false,
  }),
};

/** The fields of a request that these properties make. */
export function extraPortFields(properties: Properties): Fields {
  return {
    ...specsOf(properties),
    ...given(properties, 'admin_state_up', 'mac_address', 'binding:vnic_type'),
    ...given(properties, 'port_security_enabled', 'propagate_uplink_status'),
    allowed_address_pairs: mapsIn(properties, 'allowed_address_pairs')?.map(withoutNulls),
    qos_policy_id: textIn(properties, 'qos_policy'),
  };
}
