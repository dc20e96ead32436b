import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import type { UserId } from '@cumulet/common/context/ids';
import { rowOf } from '@cumulet/common/resources/classes';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { ClusterTemplate } from '../cluster-templates/cluster-template.resource.js';
import type { Labels } from '../labels/labels.js';
import { CLUSTER, type HealthStatus } from './cluster.resource.js';
import type { ClusterState } from './cluster.states.js';

export interface ToldHealth {
  readonly status: HealthStatus;
  readonly reason: Readonly<Record<string, string>>;
}

/**
 * What a cluster is to be. Its nodes are rows of their own; what runs follows from all of these.
 * Public source: Container Infrastructure Management API reference, "Clusters".
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

  /** Of the key pair, for the nodes: whoever changes the cluster later need not have it. */
  @Column('text', { name: 'public_key', nullable: true })
  publicKey: string | null;

  /** By which it ends itself, before the deadline of its state, so that it can say what is missing. */
  @Column('timestamptz', { name: 'timeout_at', nullable: true })
  timeoutAt: Date | null;

  /** What its stack is made of, beside the nodes; fixed when the cluster is made. */
  @Column('jsonb')
  blueprint: Blueprint;

  /** What of the stack nodes are told; null until it is made. */
  @Column('jsonb', { nullable: true })
  infrastructure: Infrastructure | null;

  /** Of what the stack was last told to be; another digest is told to it. */
  @Column('text', { name: 'stack_digest', nullable: true })
  stackDigest: string | null;

  /** By which its work is done for the user who last changed it. */
  @Column('text', { name: 'trust_id', nullable: true })
  trustId: string | null;

  /** Who gave it. */
  @Column('text', { name: 'trustor_id', nullable: true })
  trustorId: UserId | null;

  /** Those before it, which end with the cluster: what they were passed on for may still use them. */
  @Column('text', { name: 'former_trust_ids', array: true, default: () => `'{}'` })
  formerTrustIds: string[];

  /** The authorities' certificates and keys and what else is secret, sealed; null until they are made. */
  @Column('text', { nullable: true })
  secrets: string | null;

  /** Of the authorities that there are. */
  @Column('integer', { name: 'pki_generation', default: 0 })
  pkiGeneration: number;

  /** Higher than that where the authorities are to be replaced. */
  @Column('integer', { name: 'pki_wanted', default: 1 })
  pkiWanted: number;

  /** Of the user as whom Kubernetes asks the platform; higher than its own where it is to be replaced. */
  @Column('integer', { name: 'credential_wanted', default: 1 })
  credentialWanted: number;

  /** What a client has told of both, which counts until the service sees by itself; null: nothing. */
  @Column('jsonb', { name: 'health_told', nullable: true })
  healthTold: ToldHealth | null;

  @Column('timestamptz', { name: 'health_checked_at', nullable: true })
  healthCheckedAt: Date | null;

  /** How many nodes of a group are replaced at the same time, in an upgrade. */
  @Column('integer', { name: 'max_batch_size', default: 1 })
  maxBatchSize: number;

  /** What the node groups were before a change that is to be taken back where it fails. */
  @Column('jsonb', { name: 'rollback_to', nullable: true })
  rollbackTo: RollbackTo | null;

  /** The reasons of node groups that have failed, by their names. */
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

/** Resolved when the cluster is made: what others rename or change later is not asked again. */
export interface Blueprint {
  readonly externalNetworkId: string | null;
  /** Null where the cluster has a network of its own. */
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
  /** Of nodes, by the ids of groups. */
  readonly counts: Readonly<Record<string, number>>;
  /** Why the change is taken back; absent until it is. */
  readonly reason?: string;
}
