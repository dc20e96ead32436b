/**
 * The types of rules, with what each of them says. Public source: neutron-lib,
 * `api/definitions/qos.py` and those named `qos_*`.
 */
import { attribute, type Attributes } from '@cumulet/common/resources/attribute';
import { integer, oneOf } from '@cumulet/common/resources/value-type';

export type QosDirection = 'ingress' | 'egress' | 'any';

const number = integer(0, 2_147_483_647);

/** Seen from the port: egress is what its host sends. */
const direction = attribute(oneOf(['ingress', 'egress'] as const), {
  about: 'What it is about: ingress is what the port receives, egress what it sends.',
  default: 'egress',
});

/** RFC 2474, 2597, 3246 and 5865: the code points that are in use. */
const DSCP_MARKS = [
  0, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 44, 46, 48, 56,
];

export interface QosRuleKind {
  readonly attributes: Attributes;
  /** Whether the data plane does what it says. */
  readonly isCarried: boolean;
  /** Whether its rules are also found without their policy. */
  readonly hasAlias: boolean;
}

export const RULE_TYPES = {
  bandwidth_limit: {
    isCarried: true,
    hasAlias: true,
    attributes: {
      max_kbps: attribute(number, { about: 'Kilobits per second, at most.', required: true }),
      max_burst_kbps: attribute(number, {
        about: 'Kilobits of a burst, at most; 0 is what suits the limit.',
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
        about: 'The code point that its packets are marked with.',
        required: true,
      }),
    },
  },
  minimum_bandwidth: {
    isCarried: false,
    hasAlias: true,
    attributes: {
      min_kbps: attribute(number, { about: 'Kilobits per second, at least.', required: true }),
      direction,
    },
  },
  minimum_packet_rate: {
    isCarried: false,
    hasAlias: true,
    attributes: {
      min_kpps: attribute(number, { about: 'Kilopackets per second, at least.', required: true }),
      direction: attribute(oneOf(['ingress', 'egress', 'any'] as const), {
        about: 'What it is about; any is both together.',
        default: 'egress',
      }),
    },
  },
  packet_rate_limit: {
    isCarried: false,
    hasAlias: false,
    attributes: {
      max_kpps: attribute(number, { about: 'Kilopackets per second, at most.', required: true }),
      max_burst_kpps: attribute(number, {
        about: 'Kilopackets of a burst, at most; 0 is what suits the limit.',
        default: 0,
      }),
      direction,
    },
  },
} as const satisfies Readonly<Record<string, QosRuleKind>>;

export type QosRuleType = keyof typeof RULE_TYPES;

export const QOS_RULE_TYPES = Object.keys(RULE_TYPES) as QosRuleType[];
