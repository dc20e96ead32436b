import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DomainId, Id, ProjectId } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.entity.js';
import { Project } from '../projects/project.entity.js';
import {
  RegisteredLimit,
  type RegisteredLimitId,
} from '../registered-limits/registered-limit.entity.js';

export type LimitId = Id<'Limit'>;

/** What a registered limit is for one project or one domain. */
@Entity('limits')
@Check('limits_owner_check', 'num_nonnulls(project_id, domain_id) = 1')
@Index('limits_project_key', ['projectId', 'registeredLimitId'], {
  unique: true,
  where: 'project_id IS NOT NULL',
})
@Index('limits_domain_key', ['domainId', 'registeredLimitId'], {
  unique: true,
  where: 'domain_id IS NOT NULL',
})
export class Limit {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'limits_pkey' })
  id: LimitId;

  @Column('text', { name: 'registered_limit_id' })
  @ForeignKey(() => RegisteredLimit, { name: 'limits_registered_limit_id_fkey' })
  @Index('limits_registered_limit_id_idx')
  registeredLimitId: RegisteredLimitId;

  @Column('text', { name: 'project_id', nullable: true })
  @ForeignKey(() => Project, { name: 'limits_project_id_fkey', onDelete: 'CASCADE' })
  projectId: ProjectId | null;

  @Column('text', { name: 'domain_id', nullable: true })
  @ForeignKey(() => Domain, { name: 'limits_domain_id_fkey', onDelete: 'CASCADE' })
  domainId: DomainId | null;

  @Column('integer', { name: 'resource_limit' })
  resourceLimit: number;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** What it is a limit of: no column, but read with it where it is to be shown. */
  registered?: RegisteredLimit;
}
