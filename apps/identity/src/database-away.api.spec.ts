import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { DatabaseProxy } from '@cumulet/testing/database-proxy';
import { eventually } from '@cumulet/testing/settle';
import { createIdentityDataSource } from './database/identity-data-source.js';
import { login, startReplica, testConfig, tokenOf, type TestIdentity } from './identity.fixture.js';

let database: TestDatabase;
let wire: DatabaseProxy;
let identity: TestIdentity;

beforeAll(async () => {
  database = await createTestDatabase('identity', createIdentityDataSource);
  wire = await DatabaseProxy.to(database.url);
  identity = await startReplica(testConfig(wire.url));
});

afterAll(async () => {
  await identity.stop();
  await wire.cut();
  await database.drop();
});

it('answers 503 with Retry-After while the database is away, and recovers by itself', async () => {
  const { client } = identity;
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
  // A token that needs no row is still told from a bad one.
  expect((await client.get('/v3/projects', { token: 'nonsense' })).status).toBe(401);
  await wire.mend();
  await eventually('logins work again', async () => (await login(client)).status === 201);
});
