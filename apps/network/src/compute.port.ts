import { ComputeClient } from '@cumulet/clients/compute/compute-client';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { NetworkConfig } from './config.js';

export type Compute = Pick<ComputeClient, 'sendEvents'>;

/** Undefined in a cloud without compute. */
export const COMPUTE = Symbol('compute');

@Feature({
  providers: [
    {
      provide: COMPUTE,
      inject: [CONFIG, ActorCredentials],
      useFactory: ({ computeUrl }: NetworkConfig, credentials: ActorCredentials) =>
        computeUrl === undefined ? undefined : new ComputeClient({ computeUrl, credentials }),
    },
  ],
})
export class ComputeModule {}
