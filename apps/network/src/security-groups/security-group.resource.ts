/** Public source: Networking API reference, "Security groups". */
import { Column, Entity, Index, VirtualColumn } from 'typeorm';
import { attribute, computed, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, json } from '@cumulet/common/resources/value-type';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { AppliedState } from '../resource/applied.states.js';
import { defineResource, neither } from '../resource/resource.js';
import { sharedByPolicies, sharedTargets } from '../rbac-policies/sharing.js';

const rulesOf = (group: string): string => `
  SELECT COALESCE(jsonb_agg(to_jsonb(rule) - 'given_ip_prefix' || jsonb_build_object(
           'tenant_id', project_id, 'normalized_cidr', remote_ip_prefix,
           'remote_ip_prefix', COALESCE(given_ip_prefix, remote_ip_prefix),
           'created_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
           'updated_at', to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
           - 'name' ORDER BY created_at, id), '[]')
    FROM security_group_rules AS rule WHERE security_group_id = ${group}.id`;

export const securityGroupResource = defineResource({
  singular: 'security_group',
  plural: 'security_groups',
  attributes: {
    stateful: attribute(flag, {
      about:
        "Whether replies to permitted outgoing traffic are let in; by default, as the project's default statefulness says.",
      column: { default: true },
    }),
    rules: shownOnly(json<Readonly<Record<string, unknown>>[]>([Object]), {
      about: 'The rules, the oldest first.',
      wire: 'security_group_rules',
      virtual: rulesOf,
      ...neither,
    }),
    shared: computed(flag, {
      about: "Whether the group is shared with the caller's project by an RBAC policy.",
      ...sharedByPolicies,
      sort: false,
    }),
  },
});

export type SecurityGroupAttributes = typeof securityGroupResource.attributes;
export type NewSecurityGroup = NewBody<SecurityGroupAttributes>;
export type SecurityGroupChange = ChangeBody<SecurityGroupAttributes>;

@Entity('security_groups')
@Index('security_groups_project_idx', ['projectId', 'id'])
@Index('security_groups_default_key', ['projectId'], { unique: true, where: 'is_default' })
export class SecurityGroup extends rowOf(securityGroupResource.attributes, StatefulColumns) {
  declare state: AppliedState;

  /** Whether it is the project's default group, for ports that name none. */
  @Column('boolean', { name: 'is_default', default: false })
  isDefault: boolean;

  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];
}
