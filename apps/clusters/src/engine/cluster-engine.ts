/**
 * What clusters are made of, behind plain data. A driver keeps nothing in memory that it needs: each
 * method may be called by another process than the one before, and again.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { HealthStatus } from '../clusters/cluster.resource.js';
import type { Trustee } from '../clusters/cluster-secrets.js';
import type { Node } from '../nodes/node.entity.js';
import type { NodeAddresses } from '../nodes/node-rows.js';
import type { CertifiedKey } from '../pki/certificates.js';
import type { StackSpec } from '../stack/stack-template.js';

export interface InfrastructureOutputs {
  /** Within the tenant network. */
  readonly apiAddress: string;
  readonly apiPublicAddress: string | null;
  readonly networkId: string;
  readonly subnetId: string;
  /** By the names of nodes. */
  readonly nodes: ReadonlyMap<string, NodeAddresses>;
}

export interface FailedResource {
  /** Its name in the template. */
  readonly name: string;
  readonly type: string;
  readonly reason: string;
}

export type InfrastructureState =
  | { readonly status: 'IN_PROGRESS'; readonly reason: string }
  | { readonly status: 'COMPLETE'; readonly outputs: InfrastructureOutputs }
  | {
      readonly status: 'FAILED';
      readonly reason: string;
      readonly failures: readonly FailedResource[];
    };

/** With what the API is asked. */
export interface ApiAccess {
  /** `https://172.24.4.7:6443` */
  readonly server: string;
  readonly caPem: string;
  readonly client: CertifiedKey;
  /** Aborted once nobody waits for what it says. */
  readonly signal: AbortSignal;
}

export interface Health {
  readonly status: HealthStatus;
  /** `api`, and `<node>.Ready`, each with what is the matter, or that nothing is. */
  readonly reason: Readonly<Record<string, string>>;
}

export abstract class ClusterEngine {
  /** As start-up lines name it. */
  abstract readonly description: string;

  /** Has a cluster's infrastructure become this. @returns the id of its stack */
  abstract apply(ctx: RequestContext, cluster: Cluster, spec: StackSpec): Promise<string>;

  /** @returns undefined where there is none, or none any more */
  abstract observe(
    ctx: RequestContext,
    cluster: Cluster,
    nodes: readonly Node[],
  ): Promise<InfrastructureState | undefined>;

  /** Begins the end of all of it. */
  abstract remove(ctx: RequestContext, cluster: Cluster): Promise<void>;

  /** Begins the end of what Kubernetes has made for the cluster. @returns what is still there */
  abstract removeLeftovers(ctx: RequestContext, cluster: Cluster): Promise<readonly string[]>;

  /** The user as whom Kubernetes asks the platform; the same one again for the same generation. */
  abstract trustee(
    ctx: RequestContext,
    cluster: Cluster,
    as: Pick<Trustee, 'generation' | 'password'>,
  ): Promise<Trustee>;

  /** One that is gone already is no error. */
  abstract removeTrustee(ctx: RequestContext, cluster: Cluster, generation: number): Promise<void>;

  /** How the cluster is, as its API says. */
  abstract health(
    ctx: RequestContext,
    cluster: Cluster,
    access: ApiAccess,
    nodes: readonly Node[],
  ): Promise<Health>;

  /** Which of these nodes have a server no more, or one that will not come back by itself. */
  abstract lostNodes(
    ctx: RequestContext,
    cluster: Cluster,
    nodes: readonly Node[],
  ): Promise<readonly Node[]>;
}
