import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { L7Policy } from './l7-policy.entity.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { PartColumns } from './tree.columns.js';

@Entity('l7_rules')
@Index('l7_rules_project_idx', ['projectId', 'createdAt', 'id'])
@Index('l7_rules_load_balancer_idx', ['loadBalancerId'])
@Index('l7_rules_l7_policy_idx', ['l7PolicyId', 'id'])
export class L7Rule extends PartColumns {
  @ForeignKey(() => LoadBalancer, { name: 'l7_rules_load_balancer_fkey', onDelete: 'CASCADE' })
  declare loadBalancerId: string;

  @ForeignKey(() => L7Policy, { name: 'l7_rules_l7_policy_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'l7_policy_id' })
  l7PolicyId: string;

  @Column('text')
  type: string;

  @Column('text', { name: 'compare_type' })
  compareType: string;

  /** Of headers, cookies and distinguished names: which. */
  @Column('text', { nullable: true })
  key: string | null;

  @Column('text')
  value: string;

  @Column('boolean', { default: false })
  invert: boolean;
}
