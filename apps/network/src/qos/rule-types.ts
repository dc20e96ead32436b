/**
 * The rule types with their attributes. Public source: neutron-lib, `api/definitions/qos.py` and
 * the others named `qos_*`.
 */
import { attribute, type Attributes } from '@cumulet/common/resources/attribute';
import { integer, oneOf } from '@cumulet/common/resources/value-type';

export type QosDirection = 'ingress' | 'egress' | 'any';

const number = integer(0, 2_147_483_647);

/** As seen by the port: it sends egress traffic. */
const direction = attribute(oneOf(['ingress', 'egress'] as const), {
  about: 'The direction of traffic: ingress is what the port receives, egress what it sends.',
  default: 'egress',
});

/** The code points in use. Public source: RFC 2474, 2597, 3246 and 5865. */
const DSCP_MARKS = [
  0, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 44, 46, 48, 56,
];

export interface QosRuleKind {
  readonly attributes: Attributes;
  /** Whether the data plane supports the type. */
  readonly isCarried: boolean;
  /** Whether its rules are also available in paths without the policy. */
  readonly hasAlias: boolean;
}

export const RULE_TYPES = {
  bandwidth_limit: {
    isCarried: true,
    hasAlias: true,
    attributes: {
      max_kbps: attribute(number, {
        about: 'The maximum rate in kilobits per second.',
        required: true,
      }),
      max_burst_kbps: attribute(number, {
        about: 'The maximum burst in kilobits; 0 selects one that suits the limit.',
        default: 0,
      }),
      direction,
    },
  },
  dscp_marking: {
    isCarried: true,
    hasAlias: true,
    attributes: {
      dscp_mark: attribute(oneOf(DSCP_MARKS), {
        about: 'The DSCP mark of packets.',
        required: true,
      }),
    },
  },
  minimum_bandwidth: {
    isCarried: false,
    hasAlias: true,
    attributes: {
      min_kbps: attribute(number, {
        about: 'The minimum rate in kilobits per second.',
        required: true,
      }),
      direction,
    },
  },
  minimum_packet_rate: {
    isCarried: false,
    hasAlias: true,
    attributes: {
      min_kpps: attribute(number, {
        about: 'The minimum rate in kilopackets per second.',
        required: true,
      }),
      direction: attribute(oneOf(['ingress', 'egress', 'any'] as const), {
        about: 'The direction of traffic; any counts both together.',
        default: 'egress',
      }),
    },
  },
  packet_rate_limit: {
    isCarried: false,
    hasAlias: false,
    attributes: {
      max_kpps: attribute(number, {
        about: 'The maximum rate in kilopackets per second.',
        required: true,
      }),
      max_burst_kpps: attribute(number, {
        about: 'The maximum burst in kilopackets; 0 selects one that suits the limit.',
        default: 0,
      }),
      direction,
    },
  },
} as const satisfies Readonly<Record<string, QosRuleKind>>;

export type QosRuleType = keyof typeof RULE_TYPES;

export const QOS_RULE_TYPES = Object.keys(RULE_TYPES) as QosRuleType[];
