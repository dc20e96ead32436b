import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DomainId, Id } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.entity.js';
import type { ResourceOptions } from '../resource/resource.dto.js';
import { NamedColumns } from '../resource/resource.columns.js';

export type RoleId = Id<'Role'>;

/** What a user may do, by name; services know the names, assignments the ids. */
@Entity('roles')
@Index('roles_name_key', ['name'], { unique: true, where: 'domain_id IS NULL' })
@Index('roles_domain_name_key', ['domainId', 'name'], {
  unique: true,
  where: 'domain_id IS NOT NULL',
})
export class Role extends NamedColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'roles_pkey' })
  id: RoleId;

  /** Set for a role of one domain: it is in no token, only what it implies is. */
  @Column('text', { name: 'domain_id', nullable: true })
  @ForeignKey(() => Domain, { name: 'roles_domain_id_fkey', onDelete: 'CASCADE' })
  domainId: DomainId | null;

  @Column('jsonb', { default: {} })
  options: ResourceOptions;
}
