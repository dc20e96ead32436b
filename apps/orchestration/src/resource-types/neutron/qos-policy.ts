import { attribute, flag, integer, named, oneOf, range, text } from '../declare.js';
import { given, textIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';

export const qosPolicy = restResource({
  name: 'OS::Neutron::QoSPolicy',
  description: 'Rules for the traffic of ports and networks.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: { service: 'network', collection: '/v2.0/qos/policies', entity: 'policy' },
  properties: {
    name: text('The name of the policy.', { updatable: true }),
    description: text('What it is for.', { updatable: true }),
    shared: flag('Whether all projects may use it.', { default: false, updatable: true }),
    tenant_id: text('The project whose it is to be.'),
  },
  attributes: { rules: attribute('list', 'The rules of the policy.') },
  body: (properties, scope) => ({
    ...given(properties, 'description', 'shared', 'tenant_id'),
    name: nameOf(properties, scope),
  }),
  change: { method: 'PUT', cleared: { description: '' } },
});

export const qosBandwidthLimitRule = restResource({
  name: 'OS::Neutron::QoSBandwidthLimitRule',
  description: 'How much traffic a policy lets pass in a second.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: {
    service: 'network',
    collection: (properties) =>
      `/v2.0/qos/policies/${part(textIn(properties, 'policy') ?? '')}/bandwidth_limit_rules`,
    entity: 'bandwidth_limit_rule',
  },
  properties: {
    policy: named('neutron.qos_policy', 'The policy that it is of.', { required: true }),
    tenant_id: text('The project whose it is to be.'),
    max_kbps: integer('Kilobits a second.', {
      required: true,
      updatable: true,
      constraints: [range(0)],
    }),
    max_burst_kbps: integer('Kilobits that may pass at once.', {
      updatable: true,
      constraints: [range(0)],
      default: 0,
    }),
    direction: text('Whether it is of packets from the port, or to it.', {
      updatable: true,
      constraints: [oneOf('egress', 'ingress')],
      default: 'egress',
      since: '13.0.0',
    }),
  },
  attributes: {},
  // The service has the rules of a policy where the policy is: they have no project of their own.
  body: (properties) => given(properties, 'max_kbps', 'max_burst_kbps', 'direction'),
  change: { method: 'PUT' },
});
