import { ComputeClient } from '@cumulet/clients/compute/compute-client';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { DelegationClient } from '@cumulet/clients/identity/delegation-client';
import { ProjectsClient } from '@cumulet/clients/identity/projects-client';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { TrusteesClient } from '@cumulet/clients/identity/trustees-client';
import { ImagesClient } from '@cumulet/clients/images/images-client';
import { LoadBalancersClient } from '@cumulet/clients/load-balancer/load-balancers-client';
import { NetworkClient } from '@cumulet/clients/network/network-client';
import { OrchestrationClient } from '@cumulet/clients/orchestration/orchestration-client';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { TrustAuthority, TrustHolders } from '@cumulet/common/trusts/trust-ports';
import type { ClustersConfig } from '../config.js';
import { References } from '../references/references.js';
import { ServiceReferences } from '../references/service-references.js';
import { ChosenEngine } from './chosen-engine.js';
import { ClusterTrustAuthority, ClusterTrustHolders } from './cluster-trust-ports.js';
import { KubernetesLeftovers } from './kubernetes-leftovers.js';
import { SimulatedEngine } from './simulated-engine.js';
import { SimulatedWorld } from './simulated-world.js';
import { StackEngine } from './stack-engine.js';

/** As identity's bootstrap names it. */
const TRUSTEES = 'cluster-trustees';

type Sister<Client> = new (options: ClustersConfig & { credentials: ActorCredentials }) => Client;

function sister<Client>(client: Sister<Client>) {
  return {
    provide: client,
    inject: [CONFIG, ActorCredentials],
    useFactory: (config: ClustersConfig, credentials: ActorCredentials) =>
      new client({ ...config, credentials }),
  };
}

@Feature({
  providers: [
    sister(ComputeClient),
    sister(ImagesClient),
    sister(LoadBalancersClient),
    sister(NetworkClient),
    sister(OrchestrationClient),
    sister(ProjectsClient),
    {
      provide: TrusteesClient,
      inject: [CONFIG, ActorCredentials],
      useFactory: ({ identityUrl }: ClustersConfig, credentials: ActorCredentials) =>
        new TrusteesClient({ identityUrl, credentials, domainId: TRUSTEES }),
    },
    {
      provide: DelegationClient,
      inject: [CONFIG, ServiceTokenSource, ActorCredentials],
      useFactory: (
        { identityUrl }: ClustersConfig,
        tokens: ServiceTokenSource,
        credentials: ActorCredentials,
      ) => new DelegationClient({ identityUrl, tokens, credentials }),
    },
    {
      provide: SealedJson,
      inject: [CONFIG],
      useFactory: (config: ClustersConfig) => new SealedJson(config),
    },
    { provide: References, useClass: ServiceReferences },
    { provide: TrustAuthority, useClass: ClusterTrustAuthority },
    { provide: TrustHolders, useClass: ClusterTrustHolders },
    ChosenEngine,
    KubernetesLeftovers,
    SimulatedEngine,
    SimulatedWorld,
    StackEngine,
  ],
})
export class EngineModule {}
