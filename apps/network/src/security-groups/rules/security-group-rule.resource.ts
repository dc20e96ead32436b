/** What a rule is to its clients. Public source: Networking API reference, "Security group rules". */
import { attribute, shownOnly, type NewBody } from '@cumulet/common/resources/attribute';
import * as types from '@cumulet/common/resources/value-type';
import { oneOf as isOneOf, type Condition } from '@cumulet/common/tables/condition';
import { givenPrefix, ipPrefix } from '../../addresses/address-types.js';
import { defineResource } from '../../resource/resource.js';
import { SecurityGroupNotFoundError } from '../security-group.errors.js';
import { PROTOCOLS, protocolNumber } from '../../addresses/protocols.js';
import { SecurityGroupInvalidPortValueError } from './rule.errors.js';
import { DIRECTIONS, ETHERTYPES, type RuleColumns } from './rule.columns.js';
import type { SecurityGroupRule } from './security-group-rule.entity.js';

const { integer, oneOf, orNull, Refusal, shortened, uuid, valueType } = types;

/** A name or a number; `any`, like null, is all. */
const protocol: types.ValueType<string | null> = {
  ...valueType(String, (value) => {
    const word = typeof value === 'number' ? String(value) : value;
    if (word === null || word === 'any' || word === '0') return null;
    const name = typeof word === 'string' ? word.toLowerCase() : '';
    if (protocolNumber(name) === undefined) {
      throw new Refusal(
        `Security group rule protocol ${shortened(value)} not supported. Only protocol values ${PROTOCOLS.join(', ')} and integer representations [0 to 255] are supported`,
      );
    }
    return name;
  }),
  nullable: true,
};

/** What is none is refused by classes of rules. Public source: neutron, `convert_validate_port_value`. */
const port: types.ValueType<number> = {
  ...integer(0, 65_535),
  read: (value) => orElse(integer(0, 65_535), value, SecurityGroupInvalidPortValueError),
};

/** What is no id names no group. */
const group: types.ValueType<string> = {
  ...uuid,
  read: (value) => orElse(uuid, value, SecurityGroupNotFoundError),
};

const once = { given: 'at-creation' } as const;

/** However it is written. */
function byPrefix(values: readonly string[]): Condition {
  return isOneOf(
    'remoteIpPrefix',
    values.map(ipPrefix.fromText).filter((one) => one !== undefined),
  );
}

/**
 * @param asked `remote_ip_prefix` of a body
 * @returns its columns: what it means, and how it was given where that differs
 */
export function prefixColumns(
  asked: string | null | undefined,
): Pick<RuleColumns, 'remoteIpPrefix' | 'givenIpPrefix'> {
  const remoteIpPrefix = asked == null ? null : ipPrefix.read(asked);
  return { remoteIpPrefix, givenIpPrefix: asked === remoteIpPrefix ? null : (asked ?? null) };
}

/** Which packets a rule is about; what is on their other side is said besides. */
export const MATCHED = {
  direction: attribute(oneOf(DIRECTIONS), {
    about: 'Whether it lets packets in to the ports, or out.',
    required: true,
    ...once,
  }),
  ethertype: attribute(oneOf(ETHERTYPES), {
    about: 'The version of IP.',
    default: 'IPv4' as const,
    ...once,
  }),
  protocol: attribute(protocol, { about: 'A name or number; null for all.', ...once }),
  portRangeMin: attribute(orNull(port), {
    about: 'The first port; the type of ICMP.',
    ...once,
  }),
  portRangeMax: attribute(orNull(port), {
    about: 'The last port; the code of ICMP.',
    ...once,
  }),
  remoteIpPrefix: attribute(orNull(givenPrefix), {
    about: 'Addresses on the other side, as they were given; null for all.',
    from: ({ givenIpPrefix, remoteIpPrefix }: RuleColumns) => givenIpPrefix ?? remoteIpPrefix,
    filter: byPrefix,
    property: 'remoteIpPrefix',
    ...once,
  }),
};

export const securityGroupRuleResource = defineResource({
  singular: 'security_group_rule',
  plural: 'security_group_rules',
  attributes: {
    securityGroupId: attribute(uuid, {
      about: 'The group whose ports it is for.',
      required: true,
      ...once,
    }),
    ...MATCHED,
    normalizedCidr: shownOnly(orNull(ipPrefix), {
      about: 'The same in its canonical form.',
      from: ({ remoteIpPrefix }: SecurityGroupRule) => remoteIpPrefix,
      filter: byPrefix,
      property: 'remoteIpPrefix',
    }),
    remoteGroupId: attribute(orNull(group), {
      about: 'The group whose ports are on the other side.',
      ...once,
    }),
    remoteAddressGroupId: attribute(orNull(uuid), {
      about: 'The address group whose addresses are on the other side.',
      ...once,
    }),
  },
});

function orElse<T>(
  type: types.ValueType<T>,
  value: unknown,
  Unknown: new (value: string) => Error,
): T {
  try {
    return type.read(value);
  } catch (error) {
    throw error instanceof Refusal ? new Unknown(shortened(value)) : error;
  }
}

export type RuleAttributes = typeof securityGroupRuleResource.attributes;
export type NewRule = NewBody<RuleAttributes>;
