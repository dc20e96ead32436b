import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { Cluster } from '../clusters/cluster.entity.js';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { NodeGroup, type NodeGroupId } from '../node-groups/node-group.resource.js';
import type { NodeRole } from '../clusters/cluster.resource.js';
import type { CloudConfig } from '../languages/cloud-config.js';

export type NodeId = Id<'Node'>;

/**
 * - `wanted`: exists, or is being created.
 * - `retiring`: is being replaced, and goes once its replacement is ready.
 * - `parting`: its pods move to other nodes, or other masters remove it from etcd.
 * - `leaving`: its server is being deleted.
 */
export type NodeFate = 'wanted' | 'retiring' | 'parting' | 'leaving';

/** The status last reported; `SILENT` before the first report. */
export type NodeStatus = 'SILENT' | 'IN_PROGRESS' | 'READY' | 'FAILED';

/**
 * A server of a cluster, with its latest report. What defines the server never changes: another
 * server is another row, with another token.
 */
@Entity('nodes')
@Index('nodes_cluster_idx', ['clusterId', 'createdAt', 'id'])
@Index('nodes_group_idx', ['nodeGroupId'])
@Index('nodes_name_idx', ['clusterId', 'name'], { unique: true })
export class Node {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'nodes_pkey' })
  id: NodeId;

  @ForeignKey(() => Cluster, { name: 'nodes_cluster_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'cluster_id' })
  clusterId: ClusterId;

  @ForeignKey(() => NodeGroup, { name: 'nodes_group_fkey' })
  @Column('uuid', { name: 'node_group_id' })
  nodeGroupId: NodeGroupId;

  /** The name of the server and of the node in Kubernetes. */
  @Column('text')
  name: string;

  @Column('text')
  role: NodeRole;

  @Column('text', { default: 'wanted' })
  fate: NodeFate;

  @Column('text', { name: 'flavor_id' })
  flavorId: string;

  @Column('text', { name: 'image_ref' })
  imageRef: string;

  /** Null for any. */
  @Column('text', { name: 'availability_zone', nullable: true })
  availabilityZone: string | null;

  /** With placeholders: `$api_address`, `$api_public_address` and `$node_token`. */
  @Column('text', { name: 'user_data' })
  userData: CloudConfig;

  /** When an unused token expires. */
  @Column('timestamptz', { name: 'token_expires_at' })
  tokenExpiresAt: Date;

  /** The digest of the nonce that the token was used with. */
  @Column('text', { name: 'used_by', nullable: true })
  usedBy: string | null;

  @Column('text', { name: 'server_id', nullable: true })
  serverId: string | null;

  /** On the tenant network. */
  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { name: 'public_address', nullable: true })
  publicAddress: string | null;

  @Column('text', { default: 'SILENT' })
  status: NodeStatus;

  @Column('text', { nullable: true })
  phase: string | null;

  /** The last message. */
  @Column('text', { nullable: true })
  message: string | null;

  /** The kubelet's version. */
  @Column('text', { nullable: true })
  version: string | null;

  /** The generation of its certificates. */
  @Column('integer', { name: 'pki_generation', nullable: true })
  pkiGeneration: number | null;

  /** Whether it is a voting member of etcd. */
  @Column('boolean', { name: 'has_etcd', default: false })
  hasEtcd: boolean;

  /** Whether it founded the control plane. */
  @Column('boolean', { name: 'is_founder', default: false })
  isFounder: boolean;

  /** Whether its pods have moved away; null for nodes that cannot drain. */
  @Column('boolean', { name: 'is_drained', nullable: true })
  isDrained: boolean | null;

  /** The deadline for draining. */
  @Column('timestamptz', { name: 'drain_until', nullable: true })
  drainUntil: Date | null;

  /** By add-on name, as reported by masters. */
  @Column('jsonb', { default: () => `'{}'` })
  addons: Readonly<Record<string, { readonly ready: boolean; readonly message: string }>>;

  @Column('timestamptz', { name: 'heard_at', nullable: true })
  heardAt: Date | null;

  /** When a check found its server lost; void once the node reports again. */
  @Column('timestamptz', { name: 'lost_since', nullable: true })
  lostSince: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
