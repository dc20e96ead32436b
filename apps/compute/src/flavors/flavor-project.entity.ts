import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Flavor } from './flavor.entity.js';

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
