/** A security group. Public source: AWS CloudFormation user guide, "AWS::EC2::SecurityGroup". */
import type { JsonObject } from '../../json/json.js';
import { listOf, mapOf, named, text, UPDATABLE } from '../declare.js';
import type { Properties, PropertySchema } from '../../constraints/property-schema.js';
import { securityGroup } from '../neutron/security-group.js';
import { mapsIn, textIn } from '../property-values.js';
import type { Change, ResourceScope, ResourceType } from '../resource-type.js';
import { PropertyError } from '../../constraints/property.errors.js';

const LISTS = { SecurityGroupIngress: 'ingress', SecurityGroupEgress: 'egress' } as const;

const PORTS = { port_range_min: 'FromPort', port_range_max: 'ToPort' } as const;

const rules = (description: string): PropertySchema =>
  listOf(
    mapOf(
      {
        CidrIp: text('The addresses at the other end, as a block.'),
        FromPort: text('The first port; of ICMP, the type. -1 is any.'),
        ToPort: text('The last port; of ICMP, the code. -1 is any.'),
        IpProtocol: text('The protocol, by name or number; -1 is any.'),
        SourceSecurityGroupId: named(
          'neutron.security_group',
          'The group at the other end, by id.',
        ),
        SourceSecurityGroupName: named(
          'neutron.security_group',
          'The group at the other end, by name.',
        ),
        SourceSecurityGroupOwnerId: text('The owner of the group at the other end.', {
          notOffered: 'a group is one that the project may use, by its id or name',
        }),
      },
      'A rule.',
    ),
    description,
    UPDATABLE,
  );

export const awsSecurityGroup: ResourceType = {
  ...securityGroup,
  name: 'AWS::EC2::SecurityGroup',
  description: 'Which packets may reach, and leave, ports, as Amazon describes it.',
  support: { status: 'SUPPORTED' },
  properties: {
    GroupDescription: text('The description.', { required: true }),
    VpcId: text('A network; groups are of all networks of a project.'),
    SecurityGroupIngress: rules('What may reach ports.'),
    SecurityGroupEgress: rules('What may leave ports; by default everything.'),
  },

  validate(properties) {
    for (const list of Object.keys(LISTS))
      for (const [at, rule] of (mapsIn(properties, list) ?? []).entries()) {
        for (const name of Object.values(PORTS))
          if (!/^-?\d+$/.test(textIn(rule, name) ?? '0'))
            throw new PropertyError(
              `${list}[${at}].${name}`,
              `${name} must be a number, not ${textIn(rule, name) ?? ''}.`,
            );
      }
  },

  create: (scope) => securityGroup.create(asGroup(scope)),
  isCreated: async (scope) => (await securityGroup.isCreated?.(asGroup(scope))) ?? true,
  update: async (scope, change) =>
    (await securityGroup.update?.(asGroup(scope), asGroupChange(change))) ?? {},
  /** Only a missing group is noticed: AWS's terms cannot express the rest. */
  drifted: async (scope) => (await securityGroup.read?.(scope)) && {},
};

/** @returns the equivalent properties of OS::Neutron::SecurityGroup */
function groupProperties(properties: Properties): Properties {
  return {
    description: properties['GroupDescription'] ?? '',
    rules: Object.entries(LISTS).flatMap(([list, direction]) =>
      (mapsIn(properties, list) ?? []).map((rule) => ruleOf(rule, direction)),
    ),
  };
}

function ruleOf(rule: JsonObject, direction: string): JsonObject {
  const group =
    textIn(rule, 'SourceSecurityGroupId') ?? textIn(rule, 'SourceSecurityGroupName') ?? null;
  const [first, last] = [
    numberOf(rule, PORTS.port_range_min),
    numberOf(rule, PORTS.port_range_max),
  ];
  const protocol = textIn(rule, 'IpProtocol') ?? '-1';
  return {
    direction,
    ethertype: 'IPv4',
    protocol: protocol === '-1' ? null : protocol,
    port_range_min: first,
    port_range_max: last,
    remote_mode: group === null ? 'remote_ip_prefix' : 'remote_group_id',
    remote_group_id: group,
    remote_ip_prefix: rule['CidrIp'] ?? null,
  };
}

function numberOf(rule: JsonObject, name: string): number | null {
  const number = Number(textIn(rule, name) ?? '-1');
  return number < 0 ? null : number;
}

function asGroup<S extends ResourceScope>(scope: S): S {
  return { ...scope, properties: groupProperties(scope.properties) };
}

function asGroupChange(change: Change): Change {
  const isOther = Object.keys(LISTS).some((list) => change.changed.has(list));
  return {
    ...change,
    before: groupProperties(change.before),
    changed: new Set(isOther ? ['rules'] : []),
  };
}
