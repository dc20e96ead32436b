/** How a service checks tokens and calls its sisters as itself: a feature of all but identity. */
import type { Values } from '@cumulet/common/config/settings';
import type { Service } from '@cumulet/common/service/define-service';
import { Feature } from '@cumulet/common/service/feature';
import type { IdentitySettings } from '@cumulet/common/service/service-settings';
import { CONFIG, SERVICE, TOKEN_AUTHORITY } from '@cumulet/common/service/tokens';
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
      provide: TOKEN_AUTHORITY,
      inject: [CONFIG, ServiceTokenSource],
      useFactory: ({ identityUrl }: Config, tokens: ServiceTokenSource) =>
        new HttpTokenAuthority({ identityUrl, tokens }),
    },
  ],
})
export class SisterServicesModule {}
