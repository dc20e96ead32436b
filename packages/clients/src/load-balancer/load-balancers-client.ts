/** The load balancer service, as its sisters use it. Public source: Load Balancer API v2 reference. */
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';
import { wireShape } from '../http/wire-shape.js';

export interface LoadBalancersClientOptions {
  /** Without /v2. */
  readonly loadBalancerUrl: string;
  readonly credentials: Credentials;
}

export interface LoadBalancer {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Null until it has one. */
  readonly vipAddress: string | null;
  readonly vipPortId: string | null;
  readonly vipSubnetId: string | null;
  readonly vipNetworkId: string | null;
  /** `ACTIVE`, `ERROR`, or an action under way: `PENDING_UPDATE`. */
  readonly provisioningStatus: string;
}

/** All given fields must match. */
export interface LoadBalancerFilter {
  readonly projectId?: string;
  /** The whole name. */
  readonly name?: string;
  readonly vipSubnetId?: string;
  readonly vipNetworkId?: string;
}

const LOAD_BALANCER = wireShape<LoadBalancer>({
  id: 'id',
  projectId: 'project_id',
  name: 'name',
  description: 'description',
  tags: 'tags',
  vipAddress: 'vip_address',
  vipPortId: 'vip_port_id',
  vipSubnetId: 'vip_subnet_id',
  vipNetworkId: 'vip_network_id',
  provisioningStatus: 'provisioning_status',
});

const PATH = '/v2.0/lbaas/loadbalancers';
const PAGE = 500;

export class LoadBalancersClient extends SisterClient {
  constructor({ loadBalancerUrl: baseUrl, credentials }: LoadBalancersClientOptions) {
    super({
      service: 'load balancer',
      baseUrl,
      credentials,
      connections: 4,
    });
  }

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
      const { body } = await this.client.send({ actor, path: PATH, query });
      const { loadbalancers } = body as { loadbalancers: readonly unknown[] };
      found.push(...loadbalancers.map((one) => LOAD_BALANCER.read(one)));
      if (loadbalancers.length < PAGE) return found;
    }
  }

  /** Undefined if the actor sees none. */
  async find(actor: Actor, id: string): Promise<LoadBalancer | undefined> {
    const found = await this.client.find({ actor, path: pathOf(id) });
    return found && LOAD_BALANCER.read((found.body as { loadbalancer: unknown }).loadbalancer);
  }

  /**
   * Starts the deletion of it and all that it has. An absent one is not an error.
   * @throws ServiceRefusedError 409 while another change of it is under way
   */
  async deleteWhole(actor: Actor, id: string): Promise<void> {
    const query = { cascade: 'true' };
    await this.client.find({ actor, method: 'DELETE', path: pathOf(id), query });
  }
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
