import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Stands in `project_id` for all projects without a limit of their own. */
export const ALL_PROJECTS = '';

/** A limit that replaces the one of the settings, for one project or for all. */
@Entity('quota_limits')
@Check('quota_limits_limit_check', 'resource_limit >= -1')
export class QuotaLimit {
  @PrimaryColumn('text', {
    name: 'project_id',
    primaryKeyConstraintName: 'quota_limits_pkey',
  })
  projectId: string;

  /** The quota's name: `cores`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'quota_limits_pkey' })
  resource: string;

  /** Units; -1 is unlimited. */
  @Column('bigint', { name: 'resource_limit' })
  resourceLimit: number;
}
