/**
 * Clusters without servers: each node reports when observed, by the same code as real nodes, unless
 * a test makes it fail. Nodes always say that they are simulated.
 */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { Trustee } from '../clusters/cluster-secrets.js';
import { BootstrapService } from '../nodes/bootstrap/bootstrap.service.js';
import type { Node } from '../nodes/node.entity.js';
import { MasterJoinsFirstError } from '../nodes/node.errors.js';
import { ReportsService } from '../nodes/reports/reports.service.js';
import { resourceNameOf } from '../stack/stack-place.js';
import type { StackSpec } from '../stack/stack-template.js';
import {
  ClusterEngine,
  type ApiAccess,
  type Health,
  type InfrastructureOutputs,
  type InfrastructureState,
} from './cluster-engine.js';
import { SimulatedWorld } from './simulated-world.js';

const VERSION = 'v0.0.0-simulated';

@Injectable()
export class SimulatedEngine extends ClusterEngine {
  readonly description = 'a simulation, without servers';

  constructor(
    private readonly world: SimulatedWorld,
    private readonly bootstrap: BootstrapService,
    private readonly reports: ReportsService,
  ) {
    super();
  }

  apply(_ctx: RequestContext, { id, stackId }: Cluster, _spec: StackSpec): Promise<string> {
    this.world.failIfAsked('apply');
    this.world.removed.delete(id);
    return Promise.resolve(stackId ?? id);
  }

  async observe(
    ctx: RequestContext,
    cluster: Cluster,
    nodes: readonly Node[],
  ): Promise<InfrastructureState | undefined> {
    this.world.failIfAsked('observe');
    if (cluster.stackId === null || this.world.removed.has(cluster.id)) return undefined;
    const stuck = this.world.stuck.get(cluster.id);
    if (stuck !== undefined) return { status: 'FAILED', reason: stuck, failures: [] };
    const broken = nodes.flatMap((node) => {
      const reason = this.world.serverFailureOf(node);
      const name = `${resourceNameOf(node)}_server`;
      return reason === undefined ? [] : [{ name, type: 'OS::Nova::Server', reason }];
    });
    if (broken.length > 0)
      return { status: 'FAILED', reason: 'Resource CREATE failed', failures: broken };
    const parting = nodes.filter(({ fate }) => fate === 'parting').map(({ name }) => name);
    for (const node of nodes) await this.#signal(ctx, cluster, node, parting);
    return { status: 'COMPLETE', outputs: outputsFor(cluster, nodes) };
  }

  remove(_ctx: RequestContext, { id }: Cluster): Promise<void> {
    this.world.failIfAsked('remove');
    if (!this.world.stuck.has(id)) this.world.removed.add(id);
    return Promise.resolve();
  }

  removeLeftovers(): Promise<readonly string[]> {
    this.world.failIfAsked('removeLeftovers');
    return Promise.resolve([]);
  }

  trustee(
    _ctx: RequestContext,
    { id, trustId }: Cluster,
    { generation, password }: Pick<Trustee, 'generation' | 'password'>,
  ): Promise<Trustee> {
    this.world.failIfAsked('trustee');
    return Promise.resolve({
      userId: `user-${id}-${generation}`,
      password,
      trustId: `trust-${id}-${generation}`,
      parentTrustId: trustId,
      generation,
    });
  }

  removeTrustee(): Promise<void> {
    this.world.failIfAsked('removeTrustee');
    return Promise.resolve();
  }

  health(
    _ctx: RequestContext,
    { id }: Cluster,
    _access: ApiAccess,
    nodes: readonly Node[],
  ): Promise<Health> {
    if (this.world.unreachable.has(id))
      return Promise.resolve({
        status: 'UNKNOWN',
        reason: { api: 'The simulated API could not be reached.' },
      });
    const words = nodes.map(
      (node) =>
        [`${node.name}.Ready`, this.world.lost.has(node.name) ? 'Unknown' : 'True'] as const,
    );
    const isWell = words.every(([, word]) => word === 'True');
    const reason = { api: 'ok', ...Object.fromEntries(words) };
    return Promise.resolve({ status: isWell ? 'HEALTHY' : 'UNHEALTHY', reason });
  }

  lostNodes(
    _ctx: RequestContext,
    _cluster: Cluster,
    nodes: readonly Node[],
  ): Promise<readonly Node[]> {
    return Promise.resolve(nodes.filter(({ name }) => this.world.lost.has(name)));
  }

  /** Bootstraps and reports as a node does after its boot, and with outdated certificates. */
  async #signal(
    ctx: RequestContext,
    cluster: Cluster,
    node: Node,
    parting: readonly string[],
  ): Promise<void> {
    const isLeft = node.fate === 'parting' && node.role === 'worker';
    const isAsked = isLeft || (node.role === 'master' && parting.length > 0);
    const isDone =
      node.status === 'READY' && node.pkiGeneration === cluster.pkiGeneration && !isAsked;
    if ((node.fate === 'parting' && !isLeft) || node.fate === 'leaving' || isDone) return;
    const signal = this.world.signalOf(node);
    if (!signal) return;
    const nonce = createHash('sha256').update(node.id).digest('hex');
    const address = addressOf(node);
    const isGiven = await this.#bootstrap(ctx, node, [address, apiOf(cluster)], nonce);
    if (!isGiven) return;
    await this.reports.take(ctx, node, {
      ...signal,
      version: VERSION,
      generation: cluster.pkiGeneration,
      ...(node.role === 'master'
        ? { etcd: true, etcd_removed: [...parting] }
        : { drained: isLeft }),
    });
  }

  /** @returns whether it has its certificates; otherwise another master joins first */
  async #bootstrap(
    ctx: RequestContext,
    node: Node,
    addresses: string[],
    nonce: string,
  ): Promise<boolean> {
    try {
      await this.bootstrap.give(ctx, node, { nonce, addresses });
      return true;
    } catch (error) {
      if (error instanceof MasterJoinsFirstError) return false;
      throw error;
    }
  }
}

function outputsFor(cluster: Cluster, nodes: readonly Node[]): InfrastructureOutputs {
  const { networkId, subnetId } = cluster.blueprint;
  return {
    apiAddress: apiOf(cluster),
    apiPublicAddress: null,
    networkId: networkId ?? uuidOf(`network ${cluster.id}`),
    subnetId: subnetId ?? uuidOf(`subnet ${cluster.id}`),
    nodes: new Map(
      nodes.map((node) => [
        node.name,
        { serverId: uuidOf(`server ${node.id}`), address: addressOf(node), publicAddress: null },
      ]),
    ),
  };
}

/** From TEST-NET-1 (RFC 5737), where nobody is. */
function addressOf({ id }: Node): string {
  const [byte = 0] = createHash('sha256').update(id).digest();
  return `192.0.2.${1 + (byte % 250)}`;
}

function apiOf({ id }: Cluster): string {
  const [byte = 0] = createHash('sha256').update(id).digest();
  return `198.51.100.${1 + (byte % 250)}`;
}

function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return [8, 4, 4, 4, 12]
    .reduce<{ at: number; parts: string[] }>(
      ({ at, parts }, length) => ({
        at: at + length,
        parts: [...parts, digits.slice(at, at + length)],
      }),
      { at: 0, parts: [] },
    )
    .parts.join('-');
}
