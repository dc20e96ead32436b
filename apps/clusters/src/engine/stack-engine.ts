/** Clusters as stacks of orchestration, by the trust of the user who last changed them. */
import { ComputeClient } from '@cumulet/clients/compute/compute-client';
import type { Server } from '@cumulet/clients/compute/compute-wire';
import { type Actor, asService, throughTrust } from '@cumulet/clients/http/actor';
import { DelegationClient } from '@cumulet/clients/identity/delegation-client';
import { DelegationEndedError } from '@cumulet/clients/identity/delegation.errors';
import { TrusteesClient } from '@cumulet/clients/identity/trustees-client';
import { OrchestrationClient } from '@cumulet/clients/orchestration/orchestration-client';
import type { Stack, StackOutput, StackRef } from '@cumulet/clients/orchestration/stack-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import { Injectable } from '@nestjs/common';
import type { Trustee } from '../clusters/cluster-secrets.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import { minutesOf } from '../clusters/cluster.states.js';
import type { NodeAddresses } from '../nodes/node-rows.js';
import type { Node } from '../nodes/node.entity.js';
import type { StackSpec } from '../stack/stack-template.js';
import {
  type ApiAccess,
  ClusterEngine,
  type FailedResource,
  type Health,
  type InfrastructureOutputs,
  type InfrastructureState,
} from './cluster-engine.js';
import { KubernetesLeftovers } from './kubernetes-leftovers.js';
import { kubernetesHealth } from './kubernetes/kubernetes-health.js';

interface WireNode {
  readonly server_id: string;
  readonly address: string | null;
  readonly public_address?: string | null;
}

/** @throws UnavailableError if an output is not available yet */
function outputsOf(outputs: ReadonlyMap<string, StackOutput>): InfrastructureOutputs {
  const text = (name: string): string => {
    const output = outputs.get(name);
    if (typeof output?.value === 'string') return output.value;
    throw new UnavailableError(
      `The stack does not tell ${name}${output?.error === undefined ? '' : `: ${output.error}`}.`,
    );
  };
  const nodes = (outputs.get('nodes')?.value ?? {}) as Readonly<Record<string, WireNode>>;
  return {
    apiAddress: text('api_address'),
    apiPublicAddress: text('api_public_address') || null,
    networkId: text('network_id'),
    subnetId: text('subnet_id'),
    nodes: new Map(Object.entries(nodes).map(([name, node]) => [name, addressesOf(node)])),
  };
}

function addressesOf({ server_id, address, public_address = null }: WireNode): NodeAddresses {
  return { serverId: server_id, address: address || null, publicAddress: public_address || null };
}

/** A server that is being rebooted, rebuilt, resized, paused, rescued or shelved is not lost. */
const LOST = ['SHUTOFF', 'ERROR', 'DELETED', 'SOFT_DELETED'];

/** @param server undefined if there is none any more */
export function isLostServer(server: Pick<Server, 'status'> | undefined): boolean {
  return server === undefined || LOST.includes(server.status);
}

/** The cluster's stack has no nested stacks today. */
const NESTED_DEPTH = 2;

@Injectable()
export class StackEngine extends ClusterEngine {
  readonly description = 'stacks of servers';

  constructor(
    private readonly stacks: OrchestrationClient,
    private readonly delegation: DelegationClient,
    private readonly trustees: TrusteesClient,
    private readonly compute: ComputeClient,
    private readonly leftovers: KubernetesLeftovers,
  ) {
    super();
  }

  async apply(ctx: RequestContext, cluster: Cluster, spec: StackSpec): Promise<string> {
    const actor = actorOf(ctx, cluster);
    const { template, parameters } = spec;
    const content = {
      template,
      parameters,
      timeoutMinutes: minutesOf(cluster),
      disableRollback: true,
      tags: ['kubernetes-cluster'],
    };
    const stack = refOf(cluster);
    if (stack) {
      await this.stacks.update(actor, stack, content);
      return stack.id;
    }
    const name = stackNameOf(cluster);
    const there = await this.stacks.findByName(actor, cluster.projectId, name);
    if (there) {
      await this.stacks.update(actor, there, content);
      return there.id;
    }
    const key = `cluster-${cluster.id}`;
    return (await this.stacks.create(actor, cluster.projectId, { name, ...content }, key)).id;
  }

  async observe(ctx: RequestContext, cluster: Cluster): Promise<InfrastructureState | undefined> {
    const stack = await this.#find(ctx, cluster);
    if (!stack) return undefined;
    switch (stack.status) {
      case 'IN_PROGRESS':
        return { status: 'IN_PROGRESS', reason: stack.reason };
      case 'COMPLETE': {
        const whole = await this.#asAnybody(ctx, cluster, (actor) =>
          this.stacks.find(actor, stack, true),
        );
        return whole && { status: 'COMPLETE', outputs: outputsOf(whole.outputs) };
      }
      case 'FAILED':
        return {
          status: 'FAILED',
          reason: stack.reason,
          failures: await this.#failures(ctx, cluster, stack),
        };
    }
  }

  async remove(ctx: RequestContext, cluster: Cluster): Promise<void> {
    const stack = await this.#find(ctx, cluster);
    if (!stack) return;
    const isGoing = stack.action === 'DELETE' && stack.status === 'IN_PROGRESS';
    if (!isGoing) await this.#asAnybody(ctx, cluster, (actor) => this.stacks.delete(actor, stack));
  }

  removeLeftovers(ctx: RequestContext, cluster: Cluster): Promise<readonly string[]> {
    return this.leftovers.remove(ctx, cluster);
  }

  async trustee(
    ctx: RequestContext,
    cluster: Cluster,
    { generation, password }: Pick<Trustee, 'generation' | 'password'>,
  ): Promise<Trustee> {
    if (cluster.trustId === null) throw new Error(`cluster ${cluster.id} has no trust`);
    const name = trusteeNameOf(cluster, generation);
    const description = `Kubernetes cluster ${cluster.id} of project ${cluster.projectId}`;
    const found = await this.trustees.find(ctx, name);
    const userId =
      found ?? (await this.trustees.create(ctx, { name, password, description }, name));
    const trustId = await this.delegation.redelegate(
      ctx,
      cluster.trustId,
      { trusteeId: userId },
      `${name}-${cluster.trustId}`,
    );
    return { userId, password, trustId, parentTrustId: cluster.trustId, generation };
  }

  async removeTrustee(ctx: RequestContext, cluster: Cluster, generation: number): Promise<void> {
    const userId = await this.trustees.find(ctx, trusteeNameOf(cluster, generation));
    if (userId !== undefined) await this.trustees.delete(ctx, userId);
  }

  health(
    _ctx: RequestContext,
    _cluster: Cluster,
    access: ApiAccess,
    nodes: readonly Node[],
  ): Promise<Health> {
    return kubernetesHealth(access, nodes);
  }

  async lostNodes(
    ctx: RequestContext,
    _cluster: Cluster,
    nodes: readonly Node[],
  ): Promise<readonly Node[]> {
    const lost: Node[] = [];
    for (const node of nodes) {
      if (node.serverId === null) continue;
      const server = await this.compute.server(asService(ctx), node.serverId);
      if (isLostServer(server)) lost.push(node);
    }
    return lost;
  }

  #find(ctx: RequestContext, cluster: Cluster): Promise<Stack | undefined> {
    const stack = refOf(cluster);
    return this.#asAnybody(ctx, cluster, (actor) =>
      stack
        ? this.stacks.find(actor, stack)
        : this.stacks.findByName(actor, cluster.projectId, stackNameOf(cluster)),
    );
  }

  async #failures(
    ctx: RequestContext,
    cluster: Cluster,
    stack: StackRef,
  ): Promise<readonly FailedResource[]> {
    const filter = { status: 'FAILED', nestedDepth: NESTED_DEPTH };
    const found = await this.#asAnybody(ctx, cluster, (actor) =>
      this.stacks.resources(actor, stack, filter),
    );
    return (found ?? []).map(({ name, type, reason }) => ({ name, type, reason }));
  }

  /** Acts as the service once the trust has ended: clusters must remain visible and deletable. */
  async #asAnybody<T>(
    ctx: RequestContext,
    cluster: Cluster,
    work: (actor: Actor) => Promise<T>,
  ): Promise<T> {
    if (cluster.trustId === null) return work(asService(ctx));
    try {
      return await work(throughTrust(ctx, cluster.trustId));
    } catch (error) {
      if (!(error instanceof DelegationEndedError)) throw error;
      return work(asService(ctx));
    }
  }
}

function actorOf(ctx: RequestContext, { id, trustId }: Cluster): Actor {
  if (trustId === null) throw new Error(`cluster ${id} has no trust`);
  return throughTrust(ctx, trustId);
}

/** Includes the ID, since several clusters may have the same name. */
function stackNameOf({ name, id }: Cluster): string {
  return `${name}-${id.replaceAll('-', '').slice(0, 12)}`;
}

function refOf(cluster: Cluster): StackRef | undefined {
  const { stackId: id, projectId } = cluster;
  return id === null ? undefined : { projectId, name: stackNameOf(cluster), id };
}

function trusteeNameOf({ id }: Cluster, generation: number): string {
  return `cluster-${id}-${generation}`;
}
