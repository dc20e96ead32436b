/** Who sent a request. */
import { AccessKeySource } from '@cumulet/clients/identity/access-key-source';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { S3Config } from '../config.js';
import { AccessKeys } from './access-keys.js';
import { Authenticator } from './authenticator.js';
import { PostPolicies } from './post/post-policies.js';

@Feature({
  providers: [
    AccessKeys,
    Authenticator,
    PostPolicies,
    {
      provide: AccessKeySource,
      inject: [CONFIG, ActorCredentials, TokenVerifier],
      useFactory: (
        { identityUrl }: S3Config,
        credentials: ActorCredentials,
        verifier: TokenVerifier,
      ) => new AccessKeySource({ identityUrl, credentials, verifier }),
    },
  ],
})
export class AuthModule {}
