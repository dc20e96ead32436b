import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId } from '@cumulet/common/context/ids';

export type SoftwareConfigId = Id<'SoftwareConfig'>;

/** Public source: Orchestration API reference, "Software configuration". */
@Entity('software_configs')
@Index('software_configs_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('software_configs_page_idx', ['createdAt', 'id'])
export class SoftwareConfig {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'software_configs_pkey' })
  id: SoftwareConfigId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column('text', { default: '' })
  name: string;

  /** The tool that applies it, such as `script` or `puppet`. */
  @Column('text')
  group: string;

  /** Its config, inputs, outputs and options, sealed. */
  @Column('text')
  content: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
