import { custom, integer, named, oneOf, range, text } from '../declare.js';
import { given, numberIn, textIn } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { interfacesOf } from './floating-ip-requires.js';

const PORT_NUMBERS = range(1, 65_535);

export const floatingIpPortForwarding = restResource({
  name: 'OS::Neutron::FloatingIPPortForward',
  description: 'That one port of a floating IP leads to a port of an address inside.',
  support: { status: 'SUPPORTED', version: '19.0.0' },
  api: {
    service: 'network',
    collection: (properties) =>
      `/v2.0/floatingips/${part(textIn(properties, 'floating_ip') ?? '')}/port_forwardings`,
    entity: 'port_forwarding',
  },
  properties: {
    internal_ip_address: text('The address inside.', {
      required: true,
      updatable: true,
      constraints: [custom('ip_addr')],
    }),
    internal_port_number: integer('The port of the address inside.', {
      updatable: true,
      constraints: [PORT_NUMBERS],
    }),
    external_port: integer('The port of the floating IP.', {
      required: true,
      updatable: true,
      constraints: [PORT_NUMBERS],
    }),
    internal_port: named('neutron.port', 'The port of the network that has the address inside.', {
      required: true,
      updatable: true,
    }),
    protocol: text('The protocol that is forwarded.', {
      required: true,
      updatable: true,
      constraints: [oneOf('tcp', 'udp', 'icmp', 'icmp6', 'sctp', 'dccp')],
    }),
    floating_ip: text('The id of the floating IP.', { required: true }),
  },
  attributes: {},
  implicitRequires: interfacesOf,
  body: (properties) => ({
    ...given(properties, 'internal_ip_address', 'external_port', 'protocol'),
    internal_port_id: textIn(properties, 'internal_port'),
    internal_port: numberIn(properties, 'internal_port_number'),
  }),
  change: { method: 'PUT' },
});
