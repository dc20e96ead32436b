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
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { resealing, SealedSecret } from '@cumulet/common/sealing/resealing';
import { preparedRows } from '@cumulet/common/database/rows';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { type GivenTrust, TrustAuthority, TrustHolders } from '@cumulet/common/trusts/trust-ports';
import { Injectable } from '@nestjs/common';
import type { ClustersConfig } from '../config.js';
import { References } from '../references/references.js';
import { ServiceReferences } from '../references/service-references.js';
import { ChosenEngine } from './chosen-engine.js';
import { KubernetesLeftovers } from './kubernetes-leftovers.js';
import { SimulatedEngine } from './simulated-engine.js';
import { SimulatedWorld } from './simulated-world.js';
import { StackEngine } from './stack-engine.js';

/** Redelegable trusts, for orchestration and for Kubernetes. */
@Injectable()
class ClusterTrustAuthority extends TrustAuthority {
  constructor(private readonly delegation: DelegationClient) {
    super();
  }

  createTrust(ctx: RequestContext, expiresAt: Date): Promise<string> {
    return this.delegation.create(ctx, { mayRedelegate: true, expiresAt });
  }

  isTrustValid(trustId: string): Promise<boolean> {
    return this.delegation.isValid(trustId);
  }

  givenTrusts(): Promise<readonly GivenTrust[]> {
    return this.delegation.list();
  }

  endTrust(trustId: string): Promise<void> {
    return this.delegation.revoke(trustId);
  }
}

const HELD = `
  SELECT one AS "trustId" FROM unnest($1::text[]) AS one
   WHERE EXISTS (SELECT FROM clusters WHERE trust_id = one OR one = ANY(former_trust_ids))`;

@Injectable()
class ClusterTrustHolders extends TrustHolders {
  async heldTrusts(
    { manager }: RequestContext,
    trustIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (trustIds.length === 0) return new Set();
    const rows = await preparedRows<{ trustId: string }>(manager, HELD, [trustIds]);
    return new Set(rows.map(({ trustId }) => trustId));
  }
}

/** The domain that identity's bootstrap creates. */
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
    resealing(SealedJson, { prefix: 'CLUSTERS', columns: { clusters: ['secrets'] } }),
    { provide: References, useClass: ServiceReferences },
    { provide: TrustAuthority, useClass: ClusterTrustAuthority },
    { provide: TrustHolders, useClass: ClusterTrustHolders },
    ChosenEngine,
    KubernetesLeftovers,
    SimulatedEngine,
    SimulatedWorld,
    StackEngine,
  ],
  entities: [SealedSecret],
})
export class EngineModule {}
