/** Public source: neutron, `extensions/security_groups_default_rules.py`. */
import { attribute, type NewBody } from '@cumulet/common/resources/attribute';
import { flag, orNull, uuid, type ValueType } from '@cumulet/common/resources/value-type';
import { defineResource } from '../../resource/resource.js';
import { MATCHED } from '../rules/security-group-rule.resource.js';

/** Stands for the new group itself in place of a group's ID. */
export const PARENT = 'PARENT';

const groupOrParent: ValueType<string> = {
  ...uuid,
  read: (value) => (value === PARENT ? PARENT : uuid.read(value)),
};

interface Remote {
  readonly remoteIsParent: boolean;
  readonly remoteGroupId: string | null;
}

const once = { given: 'at-creation' } as const;

export const defaultRuleResource = defineResource({
  singular: 'default_security_group_rule',
  plural: 'default_security_group_rules',
  attributes: {
    ...MATCHED,
    remoteGroupId: attribute(orNull(groupOrParent), {
      about: 'The ID of the remote security group; PARENT stands for the new group itself.',
      from: ({ remoteIsParent, remoteGroupId }: Remote) =>
        remoteIsParent ? PARENT : remoteGroupId,
      filter: (values) => (bind, column) =>
        `COALESCE(${column('remoteGroupId')}::text,
                  CASE WHEN ${column('remoteIsParent')} THEN '${PARENT}' END) = ANY(${bind(values)})`,
      ...once,
    }),
    remoteAddressGroupId: attribute(orNull(uuid), {
      about: 'The ID of the remote address group.',
      ...once,
    }),
    usedInDefaultSg: attribute(flag, {
      about: "Whether it is a rule of projects' default groups.",
      default: false,
      ...once,
    }),
    usedInNonDefaultSg: attribute(flag, {
      about: 'Whether it is a rule of all other groups.',
      default: true,
      ...once,
    }),
  },
});

export type DefaultRuleAttributes = typeof defaultRuleResource.attributes;
export type NewDefaultRule = NewBody<DefaultRuleAttributes>;
