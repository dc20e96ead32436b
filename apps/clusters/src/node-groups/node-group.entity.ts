import {
  Column,
  Entity,
  ForeignKey,
  Generated,
  Index,
  PrimaryColumn,
  VirtualColumn,
} from 'typeorm';
import type { Id, ProjectId } from '@cumulet/common/context/ids';
import type { Labels } from '../labels/labels.js';
import { Cluster, type ClusterId } from '../clusters/cluster.entity.js';

export type NodeGroupId = Id<'NodeGroup'>;

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** Nodes of one kind. Public source: Container Infrastructure Management API reference, "Node Groups". */
@Entity('node_groups')
@Index('node_groups_cluster_page_idx', ['clusterId', 'createdAt', 'id'])
@Index('node_groups_name_idx', ['clusterId', 'name'], { unique: true })
@Index('node_groups_project_idx', ['projectId'])
export class NodeGroup {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'node_groups_pkey' })
  id: NodeGroupId;

  /** The number that Magnum's clients know as its id. */
  @Generated('increment')
  @Column('bigint')
  number: string;

  @ForeignKey(() => Cluster, { name: 'node_groups_cluster_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'cluster_id' })
  clusterId: ClusterId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column('text')
  name: string;

  /** What clients call it; all but masters are workers. */
  @Column('text')
  role: string;

  /** One of the two that every cluster has. */
  @Column('boolean', { name: 'is_default', default: false })
  isDefault: boolean;

  @Column('integer', { name: 'node_count' })
  nodeCount: number;

  @Column('integer', { name: 'min_node_count', default: 0 })
  minNodeCount: number;

  @Column('integer', { name: 'max_node_count', nullable: true })
  maxNodeCount: number | null;

  @Column('text', { name: 'flavor_id' })
  flavorId: string;

  /** As the client names it. */
  @Column('text', { name: 'image_id' })
  imageId: string;

  /** What the name stood for. */
  @Column('text', { name: 'image_ref' })
  imageRef: string;

  /** Of Kubernetes, as the image says: `v1.35.4`; null where it says nothing. */
  @Column('text', { nullable: true })
  version: string | null;

  @Column('integer', { name: 'docker_volume_size', nullable: true })
  dockerVolumeSize: number | null;

  @Column('jsonb', { default: () => `'{}'` })
  labels: Labels;

  @Column('jsonb', { name: 'node_labels', nullable: true })
  nodeLabels: Labels | null;

  @Column('jsonb', { name: 'node_taints', nullable: true })
  nodeTaints: readonly Taint[] | null;

  /** Whether it is to go, with all its nodes. */
  @Column('boolean', { name: 'is_leaving', default: false })
  isLeaving: boolean;

  @Column('text')
  status: string;

  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, nullable: true })
  updatedAt: Date | null;

  @VirtualColumn('text', {
    query: (table) =>
      `SELECT coalesce(array_agg(coalesce(public_address, address) ORDER BY created_at, name), '{}')
         FROM nodes
        WHERE node_group_id = ${table}.id AND fate <> 'leaving' AND address IS NOT NULL`,
  })
  nodeAddresses: string[];
}
