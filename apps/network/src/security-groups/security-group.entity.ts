import { Column, Entity, Index, VirtualColumn } from 'typeorm';
import type { AppliedState } from '../resource/applied.states.js';
import { sharedTargets } from '../rbac-policies/sharing.js';
import { StatefulResourceColumns } from '../resource/resource.columns.js';

@Entity('security_groups')
@Index('security_groups_project_idx', ['projectId', 'id'])
@Index('security_groups_default_key', ['projectId'], { unique: true, where: 'is_default' })
export class SecurityGroup extends StatefulResourceColumns {
  declare state: AppliedState;

  /** Whether answers to what its rules let out are let in. */
  @Column('boolean', { default: true })
  stateful: boolean;

  /** Whether ports of the project get it that name none. */
  @Column('boolean', { name: 'is_default', default: false })
  isDefault: boolean;

  /** Projects that it is shared with, and `*` for everyone. */
  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];

  /** As clients see them, the oldest first. */
  @VirtualColumn('jsonb', {
    query: (group) => `
      SELECT COALESCE(jsonb_agg(to_jsonb(rule) - 'given_ip_prefix' || jsonb_build_object(
               'tenant_id', project_id, 'normalized_cidr', remote_ip_prefix,
               'remote_ip_prefix', COALESCE(given_ip_prefix, remote_ip_prefix),
               'created_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
               'updated_at', to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
               - 'name' ORDER BY created_at, id), '[]')
        FROM security_group_rules AS rule WHERE security_group_id = ${group}.id`,
  })
  rules: Readonly<Record<string, unknown>>[];
}
