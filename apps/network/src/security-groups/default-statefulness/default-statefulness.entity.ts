import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Whether new security groups are stateful that do not say: of one project, or of all others. */
@Entity('security_group_defaults')
// Unique by COALESCE(project_id, ''), which TypeORM has no words for.
@Index('security_group_defaults_key', { synchronize: false })
export class DefaultStatefulness {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'security_group_defaults_pkey' })
  id: string;

  /** Null for all projects that have none of their own. */
  @Column('text', { name: 'project_id', nullable: true })
  projectId: string | null;

  @Column('boolean', { default: true })
  stateful: boolean;
}
