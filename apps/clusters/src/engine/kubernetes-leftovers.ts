/**
 * Load balancers that Kubernetes created for a cluster, with their floating IPs. The stock cloud
 * controller names them after the cluster. Public source: cloud-provider-openstack, "Expose
 * applications using services of LoadBalancer type".
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

  /** @returns the names of remaining load balancers */
  async remove(ctx: RequestContext, { id, projectId }: Cluster): Promise<readonly string[]> {
    const all = await this.balancers.list(asService(ctx), { projectId });
    const own = all.filter(({ name }) => name.startsWith(prefixOf(id)));
    for (const one of own) await this.#removeOne(ctx, one);
    return own.map(({ name }) => name);
  }

  /** Floating IPs go first: without the port, they could not be found. */
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
      // Another operation is in progress; the next look retries.
      if (!(error instanceof ServiceRefusedError && error.status === 409)) throw error;
    }
  }
}

/** The cloud controller's prefix of names; the cluster's ID serves as its name. */
function prefixOf(clusterId: string): string {
  return `kube_service_${clusterId}_`;
}
