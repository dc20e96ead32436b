/** A start restores access to a cloud that has locked everybody out. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  DEMO_PASSWORD,
  login,
  projectScope,
  startIdentity,
  startReplica,
  tokenOf,
  type TestIdentity,
} from '../identity.fixture.js';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

it('enables the administrator and the services at a start, but not demo', async () => {
  const { client } = identity;
  for (const table of ['domains', 'projects', 'users'])
    await identity.app.dataSource.query(`UPDATE ${table} SET enabled = false`);
  const admin = { scope: projectScope('admin') };
  expect((await login(client, admin)).status).toBe(401);
  const replica = await startReplica(identity);
  try {
    const token = await tokenOf(replica.client);
    expect((await replica.client.get('/v3/users', { token })).status).toBe(200);
    expect((await login(replica.client, { scope: { system: { all: true } } })).status).toBe(201);
    await expect(tokenOf(replica.client, 'compute')).resolves.toEqual(expect.any(String));
    const demo = await login(replica.client, { user: 'demo', password: DEMO_PASSWORD });
    expect(demo.status).toBe(401);
  } finally {
    await replica.stop();
  }
});
