import { Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { rowOf } from '@cumulet/common/resources/classes';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { sharedTargets } from '../rbac-policies/sharing.js';
import type { QosDirection, QosRuleType } from './rule-types.js';
import { qosPolicyResource } from './qos-policy.resource.js';
import type { QosPolicyState } from './qos-policy.states.js';

@Entity('qos_policies')
@Index('qos_policies_project_idx', ['projectId', 'id'])
@Index('qos_policies_default_key', ['projectId'], { unique: true, where: 'is_default' })
export class QosPolicy extends rowOf(qosPolicyResource.attributes, StatefulColumns) {
  declare state: QosPolicyState;

  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];
}

/** A policy has at most one rule of each type and direction. */
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

  /** Null for types without direction. */
  @Column('text', { nullable: true })
  direction: QosDirection | null;

  /** Its numbers, by wire name. */
  @Column('jsonb')
  settings: Readonly<Record<string, number>>;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
