/**
 * What Kubernetes itself has made for a cluster: load balancers, with their addresses outside. The
 * stock cloud controller names them after the cluster. Public source: cloud-provider-openstack,
 * "Expose applications using services of LoadBalancer type".
 */
import { Injectable } from '@nestjs/common';
import { asService } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import {
  LoadBalancersClient,
  type LoadBalancer,
} from '@cumulet/clients/load-balancer/load-balancers-client';
import { NetworkClient } from '@cumulet/clients/network/network-client';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Cluster } from '../clusters/cluster.entity.js';

@Injectable()
export class KubernetesLeftovers {
  constructor(
    private readonly balancers: LoadBalancersClient,
    private readonly networks: NetworkClient,
  ) {}

  /** @returns the names of load balancers that are still there */
  async remove(ctx: RequestContext, { id, projectId }: Cluster): Promise<readonly string[]> {
    const all = await this.balancers.list(asService(ctx), { projectId });
    const own = all.filter(({ name }) => name.startsWith(prefixOf(id)));
    for (const one of own) await this.#removeOne(ctx, one);
    return own.map(({ name }) => name);
  }

  /** The address outside first: without the port that it leads to, nobody finds whose it was. */
  async #removeOne(ctx: RequestContext, balancer: LoadBalancer): Promise<void> {
    const actor = asService(ctx);
    if (balancer.vipPortId !== null) {
      const floating = await this.networks.floatingIps(actor, { port_id: balancer.vipPortId });
      for (const { id } of floating) await this.networks.deleteFloatingIp(actor, id);
    }
    if (balancer.provisioningStatus === 'PENDING_DELETE') return;
    try {
      await this.balancers.deleteWhole(actor, balancer.id);
    } catch (error) {
      // Something else of it is under way: it is asked for again.
      if (!(error instanceof ServiceRefusedError && error.status === 409)) throw error;
    }
  }
}

/** With which the cloud controller begins all names, given the cluster's id for its name. */
function prefixOf(clusterId: string): string {
  return `kube_service_${clusterId}_`;
}
