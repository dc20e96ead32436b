import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId } from '@cumulet/common/context/ids';
import type { Acl } from './acl.js';
import type { Configurations } from './configurations.js';

export type BucketId = Id<'Bucket'>;

export type Versioning = 'off' | 'enabled' | 'suspended';

@Entity('buckets')
@Index('buckets_project_id_name', ['projectId', 'name'], { unique: true })
@Index('buckets_name', ['name'])
@Index('buckets_lifecycle', { synchronize: false })
@Check('buckets_versioning_check', `versioning IN ('off', 'enabled', 'suspended')`)
@Check('buckets_object_lock_check', `NOT object_lock OR versioning = 'enabled'`)
export class Bucket {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'buckets_pkey' })
  id: BucketId;

  /** The account that owns it. */
  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  /** Sorts by bytes. */
  @Column({ type: 'text', collation: 'C' })
  name: string;

  @Column('text')
  region: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('text', { default: 'off' })
  versioning: Versioning;

  /** Whether its objects can be locked; for good, once they can. */
  @Column('boolean', { name: 'object_lock', default: false })
  objectLock: boolean;

  /** Null: its owner alone has all permissions. */
  @Column('jsonb', { nullable: true })
  acl: Acl | null;

  /** What its owner has configured, by kind; a kind that is not configured is absent. */
  @Column('jsonb', { default: () => "'{}'" })
  configurations: Configurations;
}
