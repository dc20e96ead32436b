/** Tokens of application credentials with access rules, at a service. */
import { afterAll, describe, expect, it } from '@jest/globals';
import type { AccessRule } from '@cumulet/common/context/access-rules';
import { newId, TestTokens } from '@cumulet/testing/test-tokens';
import { startIdentity } from '../identity.fixture.js';

const tokens = await TestTokens.create();
const identity = await startIdentity({}, { tokens });

afterAll(() => identity.stop());

const allowed: AccessRule = { service: 'identity', method: 'GET', path: '/v3/auth/*' };

function ruled(...accessRules: readonly AccessRule[]): Promise<string> {
  return tokens.issue(['member'], {
    delegation: { kind: 'application-credential', id: newId(), unrestricted: false, accessRules },
  });
}

async function get(path: string, token: string, serviceToken?: string): Promise<number> {
  const headers = serviceToken === undefined ? {} : { 'X-Service-Token': serviceToken };
  return (await identity.client.get(path, { token, headers })).status;
}

describe('a token with access rules', () => {
  it('may make the requests that they name, whatever their query', async () => {
    const token = await ruled(allowed);
    expect(await get('/v3/auth/projects', token)).toBe(200);
    expect(await get('/v3/auth/projects?name=any', token)).toBe(200);
  });

  it('may make no other, and hears which one was refused', async () => {
    const token = await ruled(allowed);
    const response = await identity.client.get('/v3/regions', { token });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({
      error: {
        message: 'The access rules of the application credential do not allow GET /v3/regions.',
      },
    });
  });

  it('is not let through by rules of another service or method', async () => {
    const token = await ruled({ ...allowed, service: 'compute' }, { ...allowed, method: 'POST' });
    expect(await get('/v3/auth/projects', token)).toBe(403);
  });

  it('may do nothing where it has no rules at all', async () => {
    expect(await get('/v3/auth/projects', await ruled())).toBe(403);
  });

  it('is let through where a service shows its own token beside it, and nobody else', async () => {
    const token = await ruled();
    const service = await tokens.issue(['service']);
    const member = await tokens.issue(['member', 'admin']);
    expect(await get('/v3/auth/projects', token, service)).toBe(200);
    expect(await get('/v3/auth/projects', token, member)).toBe(403);
    expect(await get('/v3/auth/projects', token, 'nonsense')).toBe(401);
  });
});

it('a credential without rules may do all that its roles allow', async () => {
  const token = await tokens.issue(['member'], {
    delegation: { kind: 'application-credential', id: newId(), unrestricted: false },
  });
  expect(await get('/v3/auth/projects', token)).toBe(200);
});
