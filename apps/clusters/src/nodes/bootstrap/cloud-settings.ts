/** The cloud provider's configuration, by which Kubernetes uses the platform as its own user. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { Cluster } from '../../clusters/cluster.entity.js';
import { addonsOf } from '../../clusters/cluster-networks.js';
import type { ClusterSecrets } from '../../clusters/cluster-secrets.js';
import type { ClustersConfig } from '../../config.js';

@Injectable()
export class CloudSettings {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<ClustersConfig, 'guestIdentityUrl' | 'region'>,
  ) {}

  /** @returns null if the labels disable the cloud provider, or there is no user for it */
  of(cluster: Cluster, { trustee }: ClusterSecrets): object | null {
    const { blueprint, infrastructure, labels, id } = cluster;
    if (!trustee || addonsOf(labels)['cloud_provider'] !== true) return null;
    return {
      auth_url: `${this.config.guestIdentityUrl}/v3`,
      region: this.config.region,
      trust_id: trustee.trustId,
      user_id: trustee.userId,
      password: trustee.password,
      subnet_id: infrastructure?.subnetId ?? null,
      network_id: infrastructure?.networkId ?? null,
      floating_network_id: blueprint.externalNetworkId,
      cluster_name: id,
      lb_provider: labels['octavia_provider'] ?? null,
    };
  }
}
