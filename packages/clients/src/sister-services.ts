/** Token verification and sister clients: a feature of all services but identity. */
import type { Values } from '@cumulet/common/config/settings';
import type { Service } from '@cumulet/common/app/define-service';
import { Feature } from '@cumulet/common/service/feature';
import type { IdentitySettings } from '@cumulet/common/service/service-settings';
import { CONFIG, SERVICE, TOKEN_AUTHORITY } from '@cumulet/common/service/tokens';
import { ActorCredentials } from './identity/actor-credentials.js';
import { HttpTokenAuthority } from './identity/http-token-authority.js';
import { ServiceTokenSource } from './identity/service-token-source.js';

type Config = Values<IdentitySettings>;

@Feature({
  providers: [
    {
      provide: ServiceTokenSource,
      inject: [CONFIG, SERVICE],
      useFactory: ({ identityUrl, servicePassword: password }: Config, { name: user }: Service) =>
        new ServiceTokenSource({ identityUrl, user, password }),
    },
    {
      provide: ActorCredentials,
      inject: [ServiceTokenSource],
      useFactory: (tokens: ServiceTokenSource) => new ActorCredentials(tokens),
    },
    {
      provide: TOKEN_AUTHORITY,
      inject: [CONFIG, ActorCredentials],
      useFactory: ({ identityUrl }: Config, credentials: ActorCredentials) =>
        new HttpTokenAuthority({ identityUrl, credentials }),
    },
  ],
})
export class SisterServicesModule {}
