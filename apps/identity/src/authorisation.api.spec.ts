import { afterAll, expect, it } from '@jest/globals';
import { routesOf } from '@cumulet/common/http/route-table';
import { authorisationSuite } from '@cumulet/testing/authorisation-suite';
import { TestTokens } from '@cumulet/testing/test-tokens';
import { startIdentity } from './identity.fixture.js';

const tokens = await TestTokens.create();
const identity = await startIdentity({}, { authority: tokens });
const routes = routesOf(identity.app.nest);

afterAll(() => identity.stop());

authorisationSuite(routes, () => ({ client: identity.client, tokens }));

it('opens no more than this to anyone', () => {
  const open = routes.filter(({ access }) => access.kind === 'public');
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /',
    'GET /.well-known/jwks.json',
    'GET /healthz',
    'GET /metrics',
    'GET /readyz',
    'GET /v3',
    'POST /v3/auth/tokens',
  ]);
});
