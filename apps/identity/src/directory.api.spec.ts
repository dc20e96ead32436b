/** The scopes and the catalog of a token, and invalid IDs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { login, signedIn, startIdentity, tokenOf, type TestIdentity } from './identity.fixture.js';

let identity: TestIdentity;
let admin: string;
let demo: string;

beforeAll(async () => {
  identity = await startIdentity();
  admin = await tokenOf(identity.client, 'admin');
  demo = await tokenOf(identity.client, 'demo');
});
afterAll(() => identity.stop());

async function get(path: string, token = admin): Promise<Record<string, unknown>> {
  const response = await identity.client.get(path, { token });
  expect([path, response.status]).toEqual([path, 200]);
  return response.body as Record<string, unknown>;
}

const status = async (path: string, token: string): Promise<number> =>
  (await identity.client.get(path, { token })).status;

it('answers 400 for an id that no row can have', async () => {
  expect(await status('/v3/users/%00', admin)).toBe(400);
});

describe('GET /v3/auth/system', () => {
  it('says whether the system can be the scope of a token', async () => {
    expect(await get('/v3/auth/system')).toMatchObject({ system: [{ all: true }] });
    expect(await get('/v3/auth/system', demo)).toMatchObject({ system: [] });
  });
});

describe('GET /v3/auth/catalog', () => {
  it('is the catalog of the token', async () => {
    const { catalog } = await get('/v3/auth/catalog', demo);
    expect((catalog as { type: string }[]).map(({ type }) => type)).toEqual([
      'compute',
      'identity',
      'orchestration',
    ]);
    const [project] = (await get('/v3/auth/projects', demo))['projects'] as { id: string }[];
    expect(JSON.stringify(catalog)).toContain(`/v1/${project?.id}`);
  });

  it('is refused to an unscoped token', async () => {
    const unscoped = signedIn(await login(identity.client, { scope: 'unscoped' }));
    expect(await status('/v3/auth/catalog', unscoped)).toBe(403);
  });
});
