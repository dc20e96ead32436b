import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { login, startIdentity, tokenOf, type TestIdentity } from './identity.fixture.js';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startIdentity({}, { losesDatabase: true });
});

afterAll(() => identity.stop());

it('answers 503 with Retry-After while the database is away, and recovers by itself', async () => {
  const { client, wire } = identity;
  const token = await tokenOf(client);
  await wire.cut();
  for (const response of [
    await login(client),
    await client.get('/v3/projects', { token }),
    await client.get('/readyz'),
  ]) {
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(response.body).toEqual({
      error: {
        code: 503,
        message: 'The service cannot reach its database at present.',
        title: 'Service Unavailable',
      },
    });
  }
  expect((await client.get('/healthz')).status).toBe(200);
  // A valid token needs no row, and is distinguished from a bad one.
  expect((await client.get('/v3/projects', { token: 'nonsense' })).status).toBe(401);
  await wire.mend();
  await eventually('logins work again', async () => (await login(client)).status === 201);
});
