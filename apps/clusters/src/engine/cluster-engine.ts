/**
 * The infrastructure of clusters, in plain data. Drivers are stateless: each method may be called
 * by any process, and repeatedly.
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
  /** On the tenant network. */
  readonly apiAddress: string;
  readonly apiPublicAddress: string | null;
  readonly networkId: string;
  readonly subnetId: string;
  /** By node name. */
  readonly nodes: ReadonlyMap<string, NodeAddresses>;
}

export interface FailedResource {
  /** The name in the template. */
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

export interface ApiAccess {
  /** `https://172.24.4.7:6443` */
  readonly server: string;
  readonly caPem: string;
  readonly client: CertifiedKey;
  readonly signal: AbortSignal;
}

export interface Health {
  readonly status: HealthStatus;
  /** Keys are `api` and `<node>.Ready`; values describe the problem, or say that there is none. */
  readonly reason: Readonly<Record<string, string>>;
}

export abstract class ClusterEngine {
  /** For the log at start-up. */
  abstract readonly description: string;

  /** Creates or updates the infrastructure. @returns the ID of its stack */
  abstract apply(ctx: RequestContext, cluster: Cluster, spec: StackSpec): Promise<string>;

  /** @returns undefined if there is none, or none any more */
  abstract observe(
    ctx: RequestContext,
    cluster: Cluster,
    nodes: readonly Node[],
  ): Promise<InfrastructureState | undefined>;

  /** Starts the deletion. */
  abstract remove(ctx: RequestContext, cluster: Cluster): Promise<void>;

  /** Starts the deletion of resources created by Kubernetes. @returns those that still exist */
  abstract removeLeftovers(ctx: RequestContext, cluster: Cluster): Promise<readonly string[]>;

  /** The user that Kubernetes acts as; idempotent for a generation. */
  abstract trustee(
    ctx: RequestContext,
    cluster: Cluster,
    as: Pick<Trustee, 'generation' | 'password'>,
  ): Promise<Trustee>;

  /** Does nothing if it is gone. */
  abstract removeTrustee(ctx: RequestContext, cluster: Cluster, generation: number): Promise<void>;

  /** The health according to the cluster's API. */
  abstract health(
    ctx: RequestContext,
    cluster: Cluster,
    access: ApiAccess,
    nodes: readonly Node[],
  ): Promise<Health>;

  /** The nodes whose server is gone, or will not recover by itself. */
  abstract lostNodes(
    ctx: RequestContext,
    cluster: Cluster,
    nodes: readonly Node[],
  ): Promise<readonly Node[]>;
}
