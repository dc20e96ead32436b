/** Every route against the policy: who may call it, and who may not. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { routesOf, type Route } from '@cumulet/common/http/route-table';
import { expectRows } from '@cumulet/testing/expect-rows';
import { newId, TestTokens } from '@cumulet/testing/test-tokens';
import { startIdentity } from './identity.fixture.js';
import {
  CALLERS,
  callersMeant,
  ensureWorld,
  tokenOf,
  WORLD,
  type CallerName,
} from './policy/policy-world.fixture.js';

const tokens = await TestTokens.create();
const identity = await startIdentity({}, { tokens });
const { dataSource, nest } = identity.app;
const routes = routesOf(nest);
const refused = routes.filter(({ handler }) => handler.startsWith('UnsupportedController.'));

afterAll(() => identity.stop());

it('answers 501 without a token where clients ask without one', () => {
  const open = refused.filter(({ access }) => access.kind === 'public');
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v3/auth/OS-FEDERATION/identity_providers/{idp_id}/protocols/{protocol_id}/websso',
    'POST /v3/auth/OS-FEDERATION/identity_providers/{idp_id}/protocols/{protocol_id}/websso',
    'GET /v3/auth/OS-FEDERATION/websso/{protocol_id}',
    'POST /v3/auth/OS-FEDERATION/websso/{protocol_id}',
    'GET /v3/OS-FEDERATION/identity_providers/{idp_id}/protocols/{protocol_id}/auth',
    'POST /v3/OS-FEDERATION/identity_providers/{idp_id}/protocols/{protocol_id}/auth',
    'GET /v3/OS-FEDERATION/saml2/metadata',
    'POST /v3/OS-OAUTH1/access_token',
    'POST /v3/OS-OAUTH1/request_token',
    'POST /v3/OS-OAUTH2/token',
    'GET /v3/OS-SIMPLE-CERT/ca',
    'GET /v3/OS-SIMPLE-CERT/certificates',
  ]);
});

interface Asked {
  /** Preconditions of the request, so that only the policy can refuse. */
  readonly before?: string;
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Parameters beyond the path, where these name the target of the request. */
const ASKED: Readonly<Record<string, Asked>> = {
  'GET /v3/auth/tokens': {
    headers: { 'X-Subject-Token': await tokens.issue([], { userId: WORLD.user_id }) },
  },
  'DELETE /v3/auth/tokens': {
    headers: { 'X-Subject-Token': await tokens.issue([], { userId: WORLD.user_id }) },
  },
  'DELETE /v3/domains/{domain_id}': {
    before: `UPDATE domains SET enabled = false WHERE id = '${WORLD.domain_id}'`,
  },
  'GET /v3/credentials': { query: `?user_id=${WORLD.user_id}` },
  'POST /v3/credentials': {
    body: { credential: { user_id: WORLD.user_id, type: 'note', blob: 'x' } },
  },
  'POST /v3/OS-TRUST/trusts': {
    body: {
      trust: {
        trustor_user_id: WORLD.user_id,
        trustee_user_id: WORLD.user_id,
        project_id: WORLD.project_id,
        impersonation: true,
        roles: [{ id: WORLD.role_id }],
      },
    },
  },
};

async function statusFor(route: Route, caller: CallerName): Promise<number> {
  const { method } = route;
  const path = route.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => (WORLD as Readonly<Record<string, string>>)[name] ?? newId(),
  );
  const { before, query = '', body, headers } = ASKED[`${method} ${route.path}`] ?? {};
  if (before !== undefined) await dataSource.query(before);
  const { status } = await identity.client.send(method, path + query, {
    token: await tokenOf(tokens, caller),
    body: body ?? (['GET', 'HEAD', 'DELETE'].includes(method) ? undefined : {}),
    ...(headers ? { headers } : {}),
  });
  return status;
}

describe('the policy', () => {
  const protectedRoutes = routes.flatMap((route) =>
    route.access.kind === 'policy' ? [{ ...route, access: route.access }] : [],
  );

  it('lets exactly its personas through', async () => {
    const callers = Object.keys(CALLERS) as CallerName[];
    await expectRows(
      protectedRoutes.flatMap((route) => callers.map((caller) => ({ route, caller }))),
      ({ route: { method, path }, caller }) => `${method} ${path} for ${caller}`,
      async ({ route, caller }) => {
        const meant = callersMeant(route.access.personas, route.path);
        await ensureWorld(dataSource);
        const status = await statusFor(route, caller);
        const answer = status === 401 || status === 403 ? `refused ${status}` : 'let through';
        expect(answer).toBe(meant.has(caller) ? 'let through' : 'refused 403');
      },
    );
  });
});
