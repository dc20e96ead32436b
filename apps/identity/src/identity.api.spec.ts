import { TestTokens } from '@cumulet/testing/test-tokens';
import { testService } from '@cumulet/testing/test-service';
import { startIdentity } from './identity.fixture.js';
import { identityService } from './service.js';

testService(identityService, {
  start: async ({ config }) =>
    startIdentity(config, { tokens: await TestTokens.create(), losesDatabase: true }),
  open: [
    'GET /',
    'GET /.well-known/jwks.json',
    'GET /v3',
    'POST /v3/auth/tokens',
    'POST /v3/users/{user_id}/password',
  ],
});
