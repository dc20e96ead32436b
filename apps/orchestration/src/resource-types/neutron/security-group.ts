import type { PropertySchemas } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import { stringifyExact } from '../../json/exact-json.js';
import type { JsonObject } from '../../json/json.js';
import { custom, flag, integer, listOf, mapOf, named, oneOf, range, text } from '../declare.js';
import {
  asObject,
  asText,
  mapsIn,
  numberIn,
  textIn,
  textsIn,
  withoutNulls,
} from '../property-values.js';
import type { ExistingScope } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { part, type ServiceCalls } from '../service-calls.js';
import { checkApart, networkApi } from './network-type.js';

const PORTS = { constraints: [range(0, 65_535)] };

export const RULE_PROPERTIES: PropertySchemas = {
  direction: text('Whether it is of packets to the port, or from it.', {
    default: 'ingress',
    constraints: [oneOf('ingress', 'egress')],
  }),
  ethertype: text('The version of IP.', {
    default: 'IPv4',
    constraints: [oneOf('IPv4', 'IPv6')],
  }),
  port_range_min: integer('The first port; of ICMP, the type.', PORTS),
  port_range_max: integer('The last port; of ICMP, the code.', PORTS),
  remote_ip_prefix: text('The addresses at the other end, as a block.', {
    constraints: [custom('net_cidr')],
  }),
};

const NAMES = [
  'ah',
  'dccp',
  'egp',
  'esp',
  'gre',
  'icmp',
  'icmpv6',
  'igmp',
  'ipv6-encap',
  'ipv6-frag',
  'ipv6-icmp',
  'ipv6-nonxt',
  'ipv6-opts',
  'ipv6-route',
  'ospf',
  'pgm',
  'rsvp',
  'sctp',
  'tcp',
  'udp',
  'udplite',
  'vrrp',
];

export const PROTOCOLS = oneOf(...NAMES, ...Array.from({ length: 256 }, (_, at) => String(at)));

export const securityGroup = restResource({
  name: 'OS::Neutron::SecurityGroup',
  description: 'Which packets may reach, and leave, the ports that are in it.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  api: { ...networkApi('security_group', 'security-groups') },
  properties: {
    name: text('The name of the group; others may have the same.', { updatable: true }),
    description: text('The description.', { updatable: true }),
    rules: listOf(
      mapOf(
        {
          ...RULE_PROPERTIES,
          protocol: text('The protocol, by name or number; by default all.', {
            constraints: [PROTOCOLS],
          }),
          remote_mode: text('Whether the remote end is given by addresses or by a group.', {
            default: 'remote_ip_prefix',
            constraints: [oneOf('remote_ip_prefix', 'remote_group_id')],
          }),
          remote_group_id: named(
            'neutron.security_group',
            'The group at the other end; by default this one. For the mode remote_group_id.',
          ),
          description: text('The description of the rule.', { since: '27.0.0' }),
        },
        'A rule.',
      ),
      'What it lets pass. All leave its ports, unless there is a rule that says who may.',
      { default: [], updatable: true },
    ),
    stateful: flag('Whether answers to what may pass may pass, too.', {
      updatable: true,
      since: '27.0.0',
    }),
  },
  attributes: {},
  validate({ name }) {
    if (name === 'default')
      throw new PropertyError('name', 'Security groups cannot be assigned the name "default".');
  },
  fields: { rules: null },
  complete: settleRules,
  change: {
    method: 'PUT',
    cleared: { description: '', stateful: true },
    async aside(scope, { changed }, calls) {
      if (changed.has('rules')) await settleRules(scope, calls);
    },
  },
});

export const securityGroupRule = restResource({
  name: 'OS::Neutron::SecurityGroupRule',
  description: 'A rule of a security group, by itself.',
  support: { status: 'SUPPORTED', version: '7.0.0' },
  api: networkApi('security_group_rule', 'security-group-rules'),
  properties: {
    security_group: named('neutron.security_group', 'The group that it is of.', { required: true }),
    description: text('The description.'),
    ...RULE_PROPERTIES,
    protocol: text('The protocol, by name or number.', {
      default: 'tcp',
      constraints: [PROTOCOLS],
    }),
    remote_group: named('neutron.security_group', 'The group at the other end.'),
  },
  attributes: {},
  validate(properties) {
    checkApart(properties, 'remote_group', 'remote_ip_prefix');
    const [first, last] = ['port_range_min', 'port_range_max'].map((name) =>
      numberIn(properties, name),
    );
    const isIcmp = ['icmp', 'icmpv6', 'ipv6-icmp'].includes(textIn(properties, 'protocol') ?? '');
    if (first !== undefined && last !== undefined && !isIcmp && first > last)
      throw new PropertyError(
        'port_range_min',
        `The minimum port number ${first} must be less than or equal to the maximum ${last}.`,
      );
  },
  fields: { security_group: 'security_group_id', remote_group: 'remote_group_id' },
});

const COMPARED = [
  'direction',
  'ethertype',
  'protocol',
  'port_range_min',
  'port_range_max',
  'remote_group_id',
  'remote_ip_prefix',
];

const ALL_LEAVES: readonly JsonObject[] = ['IPv4', 'IPv6'].map((ethertype) => ({
  direction: 'egress',
  ethertype,
}));

/**
 * Makes the rules of a group those of its properties; repeatable.
 *
 * Always holds: a group without egress rules keeps the service's two, which allow all egress. A rule of
 * another resource of the stack is left alone.
 */
export async function settleRules(scope: ExistingScope, calls: ServiceCalls): Promise<void> {
  const id = scope.row.physicalId;
  const { security_group: group } = await calls.get(`/v2.0/security-groups/${part(id)}`);
  const present = mapsIn(asObject(group) ?? {}, 'security_group_rules') ?? [];
  const wanted = new Map(rulesOf(scope).map((rule) => [keyOf(rule), rule]));
  const kept = new Set<string>();
  for (const rule of present) {
    const key = keyOf(rule);
    const ruleId = asText(rule['id']);
    if (wanted.has(key)) kept.add(key);
    else if (!(await scope.sibling(ruleId)))
      await calls.remove(`/v2.0/security-group-rules/${part(ruleId)}`);
  }
  const missing = [...wanted].filter(([key]) => !kept.has(key)).map(([, rule]) => rule);
  if (missing.length > 0)
    await calls.act('/v2.0/security-group-rules', { security_group_rules: missing });
}

function rulesOf({ properties, row }: ExistingScope): readonly JsonObject[] {
  const listed = (mapsIn(properties, 'rules') ?? []).map((rule) => bodyOf(rule, row.physicalId));
  const hasEgress = listed.some(({ direction }) => direction === 'egress');
  const rules = hasEgress ? listed : [...listed, ...ALL_LEAVES];
  return rules.map((rule) => ({ ...rule, security_group_id: row.physicalId }));
}

/** A rule for members of a group, by default its own, has no address range. */
function bodyOf(rule: JsonObject, own: string): JsonObject {
  const { remote_mode: mode, remote_group_id: group, remote_ip_prefix: prefix, ...rest } = rule;
  const isOfGroup = mode === 'remote_group_id';
  return withoutNulls({
    ...rest,
    remote_group_id: isOfGroup ? (group ?? own) : null,
    remote_ip_prefix: isOfGroup ? null : (prefix ?? null),
  });
}

function keyOf(rule: JsonObject): string {
  return stringifyExact(COMPARED.map((name) => asText(rule[name])));
}

export const addressGroup = restResource({
  name: 'OS::Neutron::AddressGroup',
  description: 'Blocks of addresses that rules of security groups name together.',
  api: networkApi('address_group', 'address-groups'),
  properties: {
    name: text('The name of the group.', { updatable: true }),
    description: text('The description.', { updatable: true }),
    addresses: listOf(text('A CIDR.', { constraints: [custom('net_cidr')] }), 'The CIDRs.', {
      default: [],
      updatable: true,
    }),
  },
  attributes: {},
  change: {
    method: 'PUT',
    createOnly: ['addresses'],
    cleared: { description: '' },
    /** Lists the groups first, because removing a missing one is an error. */
    async aside({ row, properties }, { changed }, calls) {
      if (!changed.has('addresses')) return;
      const path = `/v2.0/address-groups/${part(row.physicalId)}`;
      const { address_group: group } = await calls.get(path);
      const present = textsIn((group ?? {}) as typeof properties, 'addresses') ?? [];
      const wanted = textsIn(properties, 'addresses') ?? [];
      const [gone, added] = [without(present, wanted), without(wanted, present)];
      if (added.length > 0) await calls.put(`${path}/add_addresses`, { addresses: added });
      if (gone.length > 0) await calls.put(`${path}/remove_addresses`, { addresses: gone });
    },
  },
});

function without(these: readonly string[], those: readonly string[]): readonly string[] {
  return these.filter((one) => !those.includes(one));
}
