import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DomainId, ProjectId } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.entity.js';

/** Owns resources in every service; users have roles on it. */
@Entity('projects')
@Unique('projects_domain_name_key', ['domainId', 'name'])
export class Project {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'projects_pkey' })
  id: ProjectId;

  @Column('text', { name: 'domain_id' })
  @ForeignKey(() => Domain, { name: 'projects_domain_id_fkey' })
  domainId: DomainId;

  /** The project above it in the tree; null directly below its domain. */
  @Column('text', { name: 'parent_id', nullable: true })
  @ForeignKey(() => Project, { name: 'projects_parent_id_fkey' })
  @Index('projects_parent_id_idx')
  parentId: ProjectId | null;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  description: string;

  @Column('boolean', { default: true })
  enabled: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
