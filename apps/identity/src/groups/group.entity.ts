import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { DomainId, Id } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.entity.js';
import type { Extra } from '../http/resource-options.js';

export type GroupId = Id<'Group'>;

/** Users that have roles together. */
@Entity('groups')
@Unique('groups_domain_name_key', ['domainId', 'name'])
export class Group {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'groups_pkey' })
  id: GroupId;

  @Column('text', { name: 'domain_id' })
  @ForeignKey(() => Domain, { name: 'groups_domain_id_fkey', onDelete: 'CASCADE' })
  domainId: DomainId;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  description: string;

  @Column('jsonb', { default: {} })
  extra: Extra;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
