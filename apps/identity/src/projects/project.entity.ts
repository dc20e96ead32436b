import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DomainId, ProjectId } from '@cumulet/common/context/ids';
import type { ResourceOptions } from '../resource/resource.dto.js';
import { Domain } from '../domains/domain.entity.js';
import { NamedColumns } from '../resource/resource.columns.js';

/** Owns resources in every service; users have roles on it. */
@Entity('projects')
@Check('projects_depth_check', 'cardinality(ancestor_ids) < 5')
@Unique('projects_domain_name_key', ['domainId', 'name'])
@Index('projects_page_idx', ['name', 'id'])
export class Project extends NamedColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'projects_pkey' })
  id: ProjectId;

  @Column('text', { name: 'domain_id' })
  @ForeignKey(() => Domain, { name: 'projects_domain_id_fkey', onDelete: 'CASCADE' })
  domainId: DomainId;

  /** The project above it in the tree; null directly below its domain. */
  @Column('text', { name: 'parent_id', nullable: true })
  @ForeignKey(() => Project, { name: 'projects_parent_id_fkey' })
  @Index('projects_parent_id_idx')
  parentId: ProjectId | null;

  /** All projects above it, the topmost first. A project never moves, so these stay true. */
  @Column('text', { name: 'ancestor_ids', array: true, default: [] })
  ancestorIds: ProjectId[];

  @Column('boolean', { default: true })
  enabled: boolean;

  @Column('text', { array: true, default: [] })
  tags: string[];

  @Column('jsonb', { default: {} })
  options: ResourceOptions;
}
