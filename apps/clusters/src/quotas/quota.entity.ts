import { Column, Entity, Generated, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { QuotaName } from './clusters-quotas.js';

/**
 * What Magnum's clients see of a limit beside the limit, which is in `quota_limits` alone. Public
 * source: Container Infrastructure Management API reference, "Quota".
 */
@Entity('quotas')
@Index('quotas_resource_idx', ['projectId', 'resource'], { unique: true })
export class Quota {
  @Generated('increment')
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'quotas_pkey' })
  id: number;

  @Column('text', { name: 'project_id' })
  projectId: string;

  @Column('text')
  resource: QuotaName;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, nullable: true })
  updatedAt: Date | null;

  @VirtualColumn('integer', {
    query: (table) =>
      `SELECT resource_limit FROM quota_limits
        WHERE project_id = ${table}.project_id AND resource = ${table}.resource`,
  })
  hardLimit: number;
}
