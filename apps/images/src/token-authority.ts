import { HttpTokenAuthority } from '@cumulet/clients/identity/http-token-authority';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import type { TokenAuthority } from '@cumulet/common/auth/token-verifier';
import type { ImagesConfig } from './config.js';

/** Where the service learns of tokens; may hold connections to let go of. */
export interface ClosableAuthority extends TokenAuthority {
  close?(): Promise<void>;
}

/** Identity at its address, which this service asks as itself. */
export function identityAuthority(config: ImagesConfig): ClosableAuthority {
  const { identityUrl, servicePassword: password } = config;
  const tokens = new ServiceTokenSource({ identityUrl, user: 'images', password });
  const http = new HttpTokenAuthority({ identityUrl, tokens });
  return {
    keys: () => http.keys(),
    revocations: () => http.revocations(),
    close: async () => {
      await http.close();
      await tokens.close();
    },
  };
}
