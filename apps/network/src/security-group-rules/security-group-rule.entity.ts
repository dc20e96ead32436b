import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AddressGroup } from '../address-groups/address-group.entity.js';
import { ResourceColumns } from '../resource/resource.columns.js';
import { SecurityGroup } from '../security-groups/security-group.entity.js';

export const DIRECTIONS = ['ingress', 'egress'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const ETHERTYPES = ['IPv4', 'IPv6'] as const;
export type Ethertype = (typeof ETHERTYPES)[number];

@Entity('security_group_rules')
@Index('security_group_rules_project_idx', ['projectId', 'id'])
@Index('security_group_rules_group_idx', ['securityGroupId'])
@Index('security_group_rules_remote_idx', ['remoteGroupId'])
@Index('security_group_rules_address_group_idx', ['remoteAddressGroupId'])
@Index('security_group_rules_key', { synchronize: false })
export class SecurityGroupRule extends ResourceColumns {
  @Column('uuid', { name: 'security_group_id' })
  @ForeignKey(() => SecurityGroup, {
    name: 'security_group_rules_group_fkey',
    onDelete: 'CASCADE',
  })
  securityGroupId: string;

  @Column('text')
  direction: Direction;

  @Column('text')
  ethertype: Ethertype;

  /** A name, or a number as text; null for all. */
  @Column('text', { nullable: true })
  protocol: string | null;

  /** Of TCP and others; the type of ICMP. */
  @Column('integer', { name: 'port_range_min', nullable: true })
  portRangeMin: number | null;

  /** The same; the code of ICMP. */
  @Column('integer', { name: 'port_range_max', nullable: true })
  portRangeMax: number | null;

  /** From or to which addresses; null for all. */
  @Column('text', { name: 'remote_ip_prefix', nullable: true })
  remoteIpPrefix: string | null;

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
