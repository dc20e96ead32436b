import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId } from '@cumulet/common/context/ids';
import {
  SoftwareConfig,
  type SoftwareConfigId,
} from '../software-configs/software-config.entity.js';

export type SoftwareDeploymentId = Id<'SoftwareDeployment'>;

/** A config on a server. Public source: Orchestration API reference, "Software deployment". */
@Entity('software_deployments')
@Index('software_deployments_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('software_deployments_page_idx', ['createdAt', 'id'])
@Index('software_deployments_server_idx', ['serverId'])
@Index('software_deployments_config_idx', ['configId'])
export class SoftwareDeployment {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'software_deployments_pkey' })
  id: SoftwareDeploymentId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @ForeignKey(() => SoftwareConfig, { name: 'software_deployments_config_fkey' })
  @Column('uuid', { name: 'config_id' })
  configId: SoftwareConfigId;

  @Column('text', { name: 'server_id' })
  serverId: string;

  @Column('text', { nullable: true })
  action: string | null;

  @Column('text', { nullable: true })
  status: string | null;

  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  /** Sealed; null for none. */
  @Column('text', { name: 'input_values', nullable: true })
  inputValues: string | null;

  /** Sealed; null until the server has signalled them. */
  @Column('text', { name: 'output_values', nullable: true })
  outputValues: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, nullable: true })
  updatedAt: Date | null;
}
