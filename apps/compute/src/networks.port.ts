/** The port to the network service; tests replace it. */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { NetworkClient } from '@cumulet/clients/network/network-client';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from './config.js';

export type Networks = Pick<
  NetworkClient,
  | 'networks'
  | 'subnets'
  | 'securityGroups'
  | 'floatingIps'
  | 'associateFloatingIp'
  | 'namespaceOf'
  | 'freePorts'
  | 'autoAllocated'
  | 'checkAutoAllocation'
  | 'port'
  | 'ports'
  | 'createPort'
  | 'bindPort'
  | 'changePort'
  | 'freePort'
  | 'deletePort'
>;

/** Undefined in a cloud without a network service. */
export const NETWORKS = Symbol('networks');

@Feature({
  providers: [
    {
      provide: NETWORKS,
      inject: [CONFIG, ActorCredentials],
      useFactory: ({ networkUrl }: ComputeConfig, credentials: ActorCredentials) =>
        networkUrl === undefined ? undefined : new NetworkClient({ networkUrl, credentials }),
    },
  ],
})
export class NetworksModule {}
