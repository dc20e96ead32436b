import { Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { sharedTargets } from '../rbac-policies/sharing.js';
import { StatefulResourceColumns } from '../resource/resource.columns.js';
import type { QosDirection, QosRuleType } from './rule-types.js';
import type { QosPolicyState } from './qos-policy.states.js';

/** What the traffic of ports is limited to, and marked with. */
@Entity('qos_policies')
@Index('qos_policies_project_idx', ['projectId', 'id'])
@Index('qos_policies_default_key', ['projectId'], { unique: true, where: 'is_default' })
export class QosPolicy extends StatefulResourceColumns {
  declare state: QosPolicyState;

  /** Whether every project may use it: whether there is a policy that says so. */
  @Column('boolean', { default: false })
  shared: boolean;

  /** Projects that it is shared with, and `*` for everyone. */
  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];

  /** Whether new networks of its project have it that name none. */
  @Column('boolean', { name: 'is_default', default: false })
  isDefault: boolean;

  /** As clients see them, the oldest first. */
  @VirtualColumn('jsonb', {
    query: (policy) => `
      SELECT COALESCE(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
               'id', id, 'qos_policy_id', policy_id, 'type', type, 'direction', direction))
               || settings ORDER BY created_at, id), '[]')
        FROM qos_rules WHERE policy_id = ${policy}.id`,
  })
  rules: Readonly<Record<string, unknown>>[];
}

/** A policy has one rule of each type and direction. */
@Entity('qos_rules')
@Index('qos_rules_key', { synchronize: false })
export class QosRule {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'qos_rules_pkey' })
  id: string;

  @Column('uuid', { name: 'policy_id' })
  @ForeignKey(() => QosPolicy, { name: 'qos_rules_policy_fkey', onDelete: 'CASCADE' })
  policyId: string;

  @Column('text')
  type: QosRuleType;

  /** Null for what has none. */
  @Column('text', { nullable: true })
  direction: QosDirection | null;

  /** Its numbers, by their names on the wire. */
  @Column('jsonb')
  settings: Readonly<Record<string, number>>;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
