/** The load balancer service, as its sisters use it. Public source: Load Balancer API v2 reference. */
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { ServiceClient } from '../http/service-client.js';

export interface LoadBalancersClientOptions {
  /** The load balancer service's address, without /v2. */
  readonly loadBalancerUrl: string;
  readonly credentials: Credentials;
}

export interface LoadBalancer {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Null while it has none yet. */
  readonly vipAddress: string | null;
  readonly vipPortId: string | null;
  readonly vipSubnetId: string | null;
  readonly vipNetworkId: string | null;
  /** `ACTIVE`, `ERROR`, or what is under way: `PENDING_UPDATE`. */
  readonly provisioningStatus: string;
}

/** Which of them; each that is given must hold. */
export interface LoadBalancerFilter {
  readonly projectId?: string;
  /** The whole name. */
  readonly name?: string;
  readonly vipSubnetId?: string;
  readonly vipNetworkId?: string;
}

interface WireLoadBalancer {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly vip_address: string | null;
  readonly vip_port_id: string | null;
  readonly vip_subnet_id: string | null;
  readonly vip_network_id: string | null;
  readonly provisioning_status: string;
}

const PATH = '/v2.0/lbaas/loadbalancers';
/** That one request lists. */
const PAGE = 500;

export class LoadBalancersClient implements OnApplicationShutdown {
  readonly #client: ServiceClient;

  constructor({ loadBalancerUrl: baseUrl, credentials }: LoadBalancersClientOptions) {
    this.#client = new ServiceClient({
      service: 'load balancer',
      baseUrl,
      credentials,
      connections: 4,
    });
  }

  /** All of these that the actor sees. */
  async list(actor: Actor, filter: LoadBalancerFilter): Promise<LoadBalancer[]> {
    const found: LoadBalancer[] = [];
    for (;;) {
      const query = {
        project_id: filter.projectId,
        name: filter.name,
        vip_subnet_id: filter.vipSubnetId,
        vip_network_id: filter.vipNetworkId,
        limit: PAGE,
        marker: found.at(-1)?.id,
      };
      const { body } = await this.#client.send({ actor, path: PATH, query });
      const { loadbalancers } = body as { loadbalancers: readonly WireLoadBalancer[] };
      found.push(...loadbalancers.map(fromWire));
      if (loadbalancers.length < PAGE) return found;
    }
  }

  /** Undefined if the actor sees none. */
  async find(actor: Actor, id: string): Promise<LoadBalancer | undefined> {
    const found = await this.#client.find({ actor, path: pathOf(id) });
    return found && fromWire((found.body as { loadbalancer: WireLoadBalancer }).loadbalancer);
  }

  /**
   * Begins its end, with all that it has. One that is gone already is no error.
   * @throws ServiceRefusedError 409 while something else of it is under way
   */
  async deleteWhole(actor: Actor, id: string): Promise<void> {
    const query = { cascade: 'true' };
    await this.#client.find({ actor, method: 'DELETE', path: pathOf(id), query });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

function fromWire(one: WireLoadBalancer): LoadBalancer {
  return {
    id: one.id,
    projectId: one.project_id,
    name: one.name,
    description: one.description,
    tags: one.tags,
    vipAddress: one.vip_address,
    vipPortId: one.vip_port_id,
    vipSubnetId: one.vip_subnet_id,
    vipNetworkId: one.vip_network_id,
    provisioningStatus: one.provisioning_status,
  };
}
