/** Public source: Networking API reference, "Security group rules". */
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { attribute, computed, type NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import * as types from '@cumulet/common/resources/value-type';
import { oneOf as isOneOf, type Condition } from '@cumulet/common/tables/condition';
import { AddressGroup } from '../../address-groups/address-group.resource.js';
import { givenPrefix, ipPrefix } from '../../addresses/address-types.js';
import { defineResource } from '../../resource/resource.js';
import { SecurityGroupNotFoundError } from '../security-group.errors.js';
import { SecurityGroup } from '../security-group.resource.js';
import { PROTOCOLS, protocolNumber } from '../../addresses/protocols.js';
import { SecurityGroupInvalidPortValueError } from './rule.errors.js';

export const DIRECTIONS = ['ingress', 'egress'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const ETHERTYPES = ['IPv4', 'IPv6'] as const;

/** A column of rules and default rules that clients do not see by itself. */
export abstract class GivenPrefix {
  /** `remoteIpPrefix` as its client wrote it, if that has host bits. */
  @Column('text', { name: 'given_ip_prefix', nullable: true })
  givenIpPrefix: string | null;
}

interface Prefixes extends GivenPrefix {
  readonly remoteIpPrefix: string | null;
}

const { integer, oneOf, orNull, Refusal, shortened, uuid, valueType } = types;

/** A name or a number; `any` and null stand for all protocols. */
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

/** Rules' errors refuse invalid values. Public source: neutron, `convert_validate_port_value`. */
const port: types.ValueType<number> = {
  ...integer(0, 65_535),
  read: (value) => orElse(integer(0, 65_535), value, SecurityGroupInvalidPortValueError),
};

/** Text that is not an ID matches no group. */
const group: types.ValueType<string> = {
  ...uuid,
  read: (value) => orElse(uuid, value, SecurityGroupNotFoundError),
};

const once = { given: 'at-creation' } as const;

/** Matches any spelling. */
function byPrefix(values: readonly string[]): Condition {
  return isOneOf(
    'remoteIpPrefix',
    values.map(ipPrefix.fromText).filter((one) => one !== undefined),
  );
}

/** @param asked `remote_ip_prefix` of a body @returns the CIDR, and the spelling if it differs */
export function prefixColumns(asked: string | null | undefined): Prefixes {
  const remoteIpPrefix = asked == null ? null : ipPrefix.read(asked);
  return { remoteIpPrefix, givenIpPrefix: asked === remoteIpPrefix ? null : (asked ?? null) };
}

/** The attributes that match packets, apart from the remote groups. */
export const MATCHED = {
  direction: attribute(oneOf(DIRECTIONS), {
    about: 'The direction of traffic, as seen by the port: ingress or egress.',
    required: true,
    ...once,
  }),
  ethertype: attribute(oneOf(ETHERTYPES), {
    about: 'The IP version: IPv4 or IPv6.',
    default: 'IPv4' as const,
    column: { default: undefined },
    ...once,
  }),
  protocol: attribute(protocol, {
    about: 'The protocol, as a name or number; null for all.',
    ...once,
  }),
  portRangeMin: attribute(orNull(port), {
    about: 'The first port, or the ICMP type.',
    ...once,
  }),
  portRangeMax: attribute(orNull(port), {
    about: 'The last port, or the ICMP code.',
    ...once,
  }),
  remoteIpPrefix: attribute(orNull(givenPrefix), {
    about: 'The remote addresses, as the client wrote them; null for all.',
    from: ({ givenIpPrefix, remoteIpPrefix }: Prefixes) => givenIpPrefix ?? remoteIpPrefix,
    filter: byPrefix,
    ...once,
  }),
};

export const securityGroupRuleResource = defineResource({
  singular: 'security_group_rule',
  plural: 'security_group_rules',
  attributes: {
    securityGroupId: attribute(uuid, {
      about: 'The ID of the security group that the rule belongs to.',
      required: true,
      ...once,
    }),
    ...MATCHED,
    normalizedCidr: computed(orNull(ipPrefix), {
      about: 'The remote addresses as a canonical CIDR.',
      from: ({ remoteIpPrefix }: Pick<Prefixes, 'remoteIpPrefix'>) => remoteIpPrefix,
      filter: byPrefix,
      property: 'remoteIpPrefix',
    }),
    remoteGroupId: attribute(orNull(group), {
      about: 'The ID of the remote security group, whose ports are matched.',
      ...once,
    }),
    remoteAddressGroupId: attribute(orNull(uuid), {
      about: 'The ID of the remote address group.',
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

@Entity('security_group_rules')
@Index('security_group_rules_project_idx', ['projectId', 'id'])
@Index('security_group_rules_group_idx', ['securityGroupId'])
@Index('security_group_rules_remote_idx', ['remoteGroupId'])
@Index('security_group_rules_address_group_idx', ['remoteAddressGroupId'])
@Index('security_group_rules_key', { synchronize: false })
@ForeignKey(() => SecurityGroup, ['securityGroupId'], ['id'], {
  name: 'security_group_rules_group_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => SecurityGroup, ['remoteGroupId'], ['id'], {
  name: 'security_group_rules_remote_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => AddressGroup, ['remoteAddressGroupId'], ['id'], {
  name: 'security_group_rules_address_group_fkey',
})
export class SecurityGroupRule extends rowOf(securityGroupRuleResource.attributes, GivenPrefix) {}
