import type { PropertySchema, PropertySchemas } from '../../constraints/property-schema.js';
import { attribute, flag, integer, named, oneOf, range, text } from '../declare.js';
import { textIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';

export const qosPolicy = restResource({
  name: 'OS::Neutron::QoSPolicy',
  description: 'Rules for the traffic of ports and networks.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: { service: 'network', collection: '/v2.0/qos/policies', entity: 'policy' },
  properties: {
    name: text('The name of the policy.', { updatable: true }),
    description: text('The description.', { updatable: true }),
    shared: flag('Whether all projects may use it.', { default: false, updatable: true }),
    tenant_id: text('The project that owns it.'),
  },
  attributes: { rules: attribute('list', 'The rules of the policy.') },
  change: { method: 'PUT', cleared: { description: '' } },
});

interface RuleDeclaration {
  readonly name: string;
  readonly description: string;
  /** Heat's release. */
  readonly since: string;
  /** In paths and bodies, such as `bandwidth_limit`. */
  readonly kind: string;
  /** Properties that are sent unchanged. */
  readonly says: PropertySchemas;
}

function rule({ name, description, since, kind, says }: RuleDeclaration): ResourceType {
  return restResource({
    name,
    description,
    support: { status: 'SUPPORTED', version: since },
    api: {
      service: 'network',
      collection: (properties) =>
        `/v2.0/qos/policies/${part(textIn(properties, 'policy') ?? '')}/${kind}_rules`,
      entity: `${kind}_rule`,
    },
    properties: {
      policy: named('neutron.qos_policy', 'The policy that it is of.', { required: true }),
      tenant_id: text('The project that owns it.'),
      ...says,
    },
    attributes: {},
    // A rule belongs to its policy's project.
    fields: { policy: null, tenant_id: null },
    change: { method: 'PUT' },
  });
}

const amount = (what: string): PropertySchema =>
  integer(what, { required: true, updatable: true, constraints: [range(0)] });

const direction = (ways: readonly string[], since?: string): PropertySchema =>
  text('Whether it is of packets from the port, or to it.', {
    updatable: true,
    constraints: [oneOf(...ways)],
    default: 'egress',
    ...(since === undefined ? {} : { since }),
  });

const WAYS = ['egress', 'ingress'];

/** Rules of QoS policies. Public source: Networking API reference, "Quality of Service". */
export const qosBandwidthLimitRule = rule({
  name: 'OS::Neutron::QoSBandwidthLimitRule',
  description: 'How much traffic a policy lets pass in a second.',
  since: '6.0.0',
  kind: 'bandwidth_limit',
  says: {
    max_kbps: amount('Kilobits a second.'),
    max_burst_kbps: integer('Kilobits that may pass at once.', {
      updatable: true,
      constraints: [range(0)],
      default: 0,
    }),
    direction: direction(WAYS, '13.0.0'),
  },
});

const DSCP_MARKS = [
  0, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 46, 48, 56,
];

export const qosDscpMarkingRule = rule({
  name: 'OS::Neutron::QoSDscpMarkingRule',
  description: 'What a policy marks packets with, for whoever carries them further.',
  since: '7.0.0',
  kind: 'dscp_marking',
  says: {
    dscp_mark: integer('The code point.', {
      required: true,
      updatable: true,
      constraints: [oneOf(...DSCP_MARKS)],
    }),
  },
});

export const qosMinimumBandwidthRule = rule({
  name: 'OS::Neutron::QoSMinimumBandwidthRule',
  description: 'How much traffic a policy promises to let pass in a second.',
  since: '14.0.0',
  kind: 'minimum_bandwidth',
  says: { min_kbps: amount('Kilobits a second, at least.'), direction: direction(WAYS) },
});

export const qosMinimumPacketRateRule = rule({
  name: 'OS::Neutron::QoSMinimumPacketRateRule',
  description: 'How many packets a policy promises to let pass in a second.',
  since: '19.0.0',
  kind: 'minimum_packet_rate',
  says: {
    min_kpps: amount('Thousands of packets a second, at least.'),
    direction: direction(['any', ...WAYS]),
  },
});
