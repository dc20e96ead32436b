import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routesOfControllers } from '@cumulet/common/http/route-table';
import { startIdentity, tokenOf, type TestIdentity } from '../identity.fixture.js';
import { UNSUPPORTED_OPERATIONS } from './unsupported-operations.js';
import { UnsupportedController } from './unsupported.controller.js';

let identity: TestIdentity;
let token: string;

beforeAll(async () => {
  identity = await startIdentity();
  token = await tokenOf(identity.client, 'demo');
});
afterAll(() => identity.stop());

it.each(UNSUPPORTED_OPERATIONS)('refuses $method $path by name', async ({ method, path, name }) => {
  const asked = path.replaceAll(/\{\w+\}/g, 'some');
  const response = await identity.client.send(method, asked, {
    token,
    body: method === 'GET' ? undefined : { unread: true },
  });
  expect(response.status).toBe(501);
  expect(response.body).toEqual({
    error: {
      code: 501,
      message: `${name} (${method} ${path}) is not supported.`,
      title: 'Not Implemented',
    },
  });
});

it('asks for a token first', async () => {
  const response = await identity.client.post('/v3/OS-OAUTH1/consumers', { body: {} });
  expect(response.status).toBe(401);
});

it('stands in the table of routes, each operation as one of its own', () => {
  const routes = routesOfControllers([UnsupportedController]);
  expect(routes).toHaveLength(UNSUPPORTED_OPERATIONS.length + 1);
  expect(routes).toContainEqual({
    method: 'PATCH',
    path: '/v3/policies/{policy_id}',
    access: { kind: 'authenticated' },
    handler: 'UnsupportedController.policiesChangeAPolicy',
  });
});

it('leaves other operations on the same paths as they are', async () => {
  const response = await identity.client.get('/v3/domains/default', { token });
  expect(response.status).toBe(200);
  const unknown = await identity.client.put('/v3/policies', { token, body: {} });
  expect(unknown.status).toBe(405);
});

describe('GET /v3/auth/tokens/OS-PKI/revoked', () => {
  it('is forbidden to everybody', async () => {
    const path = '/v3/auth/tokens/OS-PKI/revoked';
    expect((await identity.client.get(path, { token })).status).toBe(403);
    expect((await identity.client.get(path)).status).toBe(401);
  });
});
