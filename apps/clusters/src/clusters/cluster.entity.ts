import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import type { UserId } from '@cumulet/common/context/ids';
import { rowOf } from '@cumulet/common/resources/classes';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { ClusterTemplate } from '../cluster-templates/cluster-template.resource.js';
import type { Labels } from '../labels/labels.js';
import { CLUSTER, type HealthStatus } from './cluster.resource.js';
import type { ClusterState } from './cluster.states.js';

export interface ReportedHealth {
  readonly status: HealthStatus;
  readonly reason: Readonly<Record<string, string>>;
}

/**
 * The target state of a cluster; its nodes have rows of their own. Public source: Container
 * Infrastructure Management API reference, "Clusters".
 */
@Entity('clusters')
@Index('clusters_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('clusters_page_idx', ['createdAt', 'id'])
@Index('clusters_name_idx', ['projectId', 'name'])
@Index('clusters_template_idx', ['clusterTemplateId'])
@Index('clusters_unsettled_idx', ['state'], { where: "state LIKE '%_in_progress'" })
@Index('clusters_health_idx', ['healthCheckedAt'])
@ForeignKey(() => ClusterTemplate, ['clusterTemplateId'], ['id'], {
  name: 'clusters_template_fkey',
})
export class Cluster extends rowOf(CLUSTER, StatefulColumns) {
  declare state: ClusterState;

  /** The public key, since whoever changes the cluster later may lack the key pair. */
  @Column('text', { name: 'public_key', nullable: true })
  publicKey: string | null;

  /** Earlier than the state's deadline, so that the reason can name what is missing. */
  @Column('timestamptz', { name: 'timeout_at', nullable: true })
  timeoutAt: Date | null;

  /** The stack's inputs besides the nodes, fixed at creation. */
  @Column('jsonb')
  blueprint: Blueprint;

  /** The stack's outputs that nodes need; null until it is complete. */
  @Column('jsonb', { nullable: true })
  infrastructure: Infrastructure | null;

  /** Digest of the last template applied; the stack is updated when it differs. */
  @Column('text', { name: 'stack_digest', nullable: true })
  stackDigest: string | null;

  /** The trust of the user who last changed the cluster. */
  @Column('text', { name: 'trust_id', nullable: true })
  trustId: string | null;

  @Column('text', { name: 'trustor_id', nullable: true })
  trustorId: UserId | null;

  /** Kept until the cluster is deleted, since trusts delegated from them may be in use. */
  @Column('text', { name: 'former_trust_ids', array: true, default: () => `'{}'` })
  formerTrustIds: string[];

  /** Sealed `ClusterSecrets`; null until they are generated. */
  @Column('text', { nullable: true })
  secrets: string | null;

  /** The generation of the current authorities. */
  @Column('integer', { name: 'pki_generation', default: 0 })
  pkiGeneration: number;

  /** Higher than `pkiGeneration` while the authorities are to be replaced. */
  @Column('integer', { name: 'pki_wanted', default: 1 })
  pkiWanted: number;

  /** The generation of the trustee; higher than its own while it is to be replaced. */
  @Column('integer', { name: 'credential_wanted', default: 1 })
  credentialWanted: number;

  /** Health reported by a client, which counts until the service sees for itself. */
  @Column('jsonb', { name: 'health_told', nullable: true })
  reportedHealth: ReportedHealth | null;

  @Column('timestamptz', { name: 'health_checked_at', nullable: true })
  healthCheckedAt: Date | null;

  /** Nodes of a group replaced at a time in an upgrade. */
  @Column('integer', { name: 'max_batch_size', default: 1 })
  maxBatchSize: number;

  /** Node counts before a change that is rolled back on failure. */
  @Column('jsonb', { name: 'rollback_to', nullable: true })
  rollbackTo: RollbackTo | null;

  /** The reasons of failed node groups, by name. */
  @VirtualColumn('jsonb', {
    query: (table) =>
      `SELECT coalesce(jsonb_object_agg(name, coalesce(status_reason, '')), '{}')
         FROM node_groups WHERE cluster_id = ${table}.id AND status LIKE '%\\_FAILED'`,
  })
  faults: Readonly<Record<string, string>>;

  @VirtualColumn('jsonb', {
    query: (table) =>
      `SELECT labels FROM cluster_templates WHERE id = ${table}.cluster_template_id`,
  })
  templateLabels: Labels;
}

/** Resolved at creation, so later renames by others do not matter. */
export interface Blueprint {
  readonly externalNetworkId: string | null;
  /** Null if the cluster has a network of its own. */
  readonly networkId: string | null;
  readonly subnetId: string | null;
  readonly dnsNameservers: readonly string[];
  readonly proxy: {
    readonly http: string | null;
    readonly https: string | null;
    readonly no: string | null;
  };
  readonly insecureRegistries: readonly string[];
  readonly apiPort: number;
}

export interface Infrastructure {
  readonly networkId: string;
  readonly subnetId: string;
}

export interface RollbackTo {
  /** Node counts by group ID. */
  readonly counts: Readonly<Record<string, number>>;
  /** Why the change was rolled back; absent before that. */
  readonly reason?: string;
}
