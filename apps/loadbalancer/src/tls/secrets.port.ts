/** What load balancers need of the secrets service; tests replace it. */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { SecretsClient } from '@cumulet/clients/secrets/secrets-client';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { LoadBalancerConfig } from '../config.js';

export type Secrets = Pick<
  SecretsClient,
  | ('container' | 'secret' | 'payload')
  | ('addContainerConsumer' | 'removeContainerConsumer')
  | ('addSecretConsumer' | 'removeSecretConsumer')
>;

/** Undefined where the settings name no secrets service. */
export const SECRETS = Symbol('secrets');

export const secretsProvider = {
  provide: SECRETS,
  inject: [CONFIG, ActorCredentials],
  useFactory: ({ secretsUrl }: LoadBalancerConfig, credentials: ActorCredentials) =>
    secretsUrl === undefined ? undefined : new SecretsClient({ secretsUrl, credentials }),
};
