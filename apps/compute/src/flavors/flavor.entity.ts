import {
  Check,
  Column,
  Entity,
  Generated,
  Index,
  PrimaryColumn,
  Unique,
  ForeignKey,
} from 'typeorm';

/** A size of server. */
@Entity('flavors')
@Index('flavors_name_key', ['name'], { unique: true })
@Unique('flavors_number_key', ['number'])
@Check('flavors_sizes_check', 'vcpus > 0 AND memory_mb > 0 AND disk_gb >= 0')
@Check('flavors_further_disks_check', 'ephemeral_gb >= 0 AND swap_mb >= 0')
export class Flavor {
  /** Nova's flavorid: any text, `1` for m1.tiny. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'flavors_pkey' })
  id: string;

  /** By which migrations name it. */
  @Column('integer')
  @Generated('increment')
  number: number;

  @Column('text')
  name: string;

  @Column('integer')
  vcpus: number;

  @Column('integer', { name: 'memory_mb' })
  memoryMb: number;

  /** 0 means as large as the image. */
  @Column('integer', { name: 'disk_gb' })
  diskGb: number;

  @Column('integer', { name: 'ephemeral_gb', default: 0 })
  ephemeralGb: number;

  @Column('integer', { name: 'swap_mb', default: 0 })
  swapMb: number;

  /** Kept for clients that read it; of no effect, as in Nova. */
  @Column('real', { name: 'rxtx_factor', default: 1 })
  rxtxFactor: number;

  @Column('text', { nullable: true })
  description: string | null;

  /** If not, only the projects in `flavor_projects` can use it, and administrators. */
  @Column('boolean', { name: 'is_public', default: true })
  isPublic: boolean;

  @Column('jsonb', { name: 'extra_specs', default: {} })
  extraSpecs: Readonly<Record<string, string>>;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

/** A project that may use a private flavor. */
@Entity('flavor_projects')
@Index('flavor_projects_project_idx', ['projectId'])
export class FlavorProject {
  @PrimaryColumn('text', {
    name: 'flavor_id',
    primaryKeyConstraintName: 'flavor_projects_pkey',
  })
  @ForeignKey(() => Flavor, { name: 'flavor_projects_flavor_fkey', onDelete: 'CASCADE' })
  flavorId: string;

  @PrimaryColumn('text', {
    name: 'project_id',
    primaryKeyConstraintName: 'flavor_projects_pkey',
  })
  projectId: string;
}
