import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AddressGroup } from '../../address-groups/address-group.entity.js';
import { SecurityGroup } from '../security-group.entity.js';
import { RuleColumns } from './rule.columns.js';

@Entity('security_group_rules')
@Index('security_group_rules_project_idx', ['projectId', 'id'])
@Index('security_group_rules_group_idx', ['securityGroupId'])
@Index('security_group_rules_remote_idx', ['remoteGroupId'])
@Index('security_group_rules_address_group_idx', ['remoteAddressGroupId'])
@Index('security_group_rules_key', { synchronize: false })
export class SecurityGroupRule extends RuleColumns {
  @Column('uuid', { name: 'security_group_id' })
  @ForeignKey(() => SecurityGroup, {
    name: 'security_group_rules_group_fkey',
    onDelete: 'CASCADE',
  })
  securityGroupId: string;

  /** From or to the ports of which group. */
  @Column('uuid', { name: 'remote_group_id', nullable: true })
  @ForeignKey(() => SecurityGroup, {
    name: 'security_group_rules_remote_fkey',
    onDelete: 'CASCADE',
  })
  remoteGroupId: string | null;

  /** From or to the addresses of which address group. */
  @Column('uuid', { name: 'remote_address_group_id', nullable: true })
  @ForeignKey(() => AddressGroup, { name: 'security_group_rules_address_group_fkey' })
  remoteAddressGroupId: string | null;
}
