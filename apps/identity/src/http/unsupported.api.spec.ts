import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routesOfControllers } from '@cumulet/common/http/route-table';
import { unsupportedController } from '@cumulet/common/http/unsupported-operations';
import { startIdentity, tokenOf, type TestIdentity } from '../identity.fixture.js';
import { UNSUPPORTED_OPERATIONS } from './unsupported-operations.js';

let identity: TestIdentity;
let token: string;

beforeAll(async () => {
  identity = await startIdentity();
  token = await tokenOf(identity.client, 'demo');
});
afterAll(() => identity.stop());

it('asks for a token first', async () => {
  const response = await identity.client.post('/v3/OS-OAUTH1/consumers', { body: {} });
  expect(response.status).toBe(401);
});

it.each([
  ['POST', '/v3/OS-OAUTH1/request_token'],
  ['POST', '/v3/OS-OAUTH1/access_token'],
  ['POST', '/v3/OS-OAUTH2/token'],
  ['GET', '/v3/OS-FEDERATION/identity_providers/some/protocols/some/auth'],
  ['POST', '/v3/OS-FEDERATION/identity_providers/some/protocols/some/auth'],
  ['GET', '/v3/OS-FEDERATION/saml2/metadata'],
  ['GET', '/v3/auth/OS-FEDERATION/websso/some'],
  ['POST', '/v3/auth/OS-FEDERATION/websso/some'],
  ['GET', '/v3/auth/OS-FEDERATION/identity_providers/some/protocols/some/websso'],
  ['POST', '/v3/auth/OS-FEDERATION/identity_providers/some/protocols/some/websso'],
  ['GET', '/v3/OS-SIMPLE-CERT/ca'],
  ['GET', '/v3/OS-SIMPLE-CERT/certificates'],
])('asks for none where clients have none: %s %s', async (method, path) => {
  const response = await identity.client.send(method, path);
  expect(response.status).toBe(501);
  const stale = await identity.client.send(method, path, { token: 'of yesterday' });
  expect(stale.status).toBe(501);
});

it.each([
  ['application/x-www-form-urlencoded', 'grant_type=client_credentials'],
  ['application/xml', '<a/>'],
  ['application/json', '{'],
])('reads no body, whatever it claims to be: %s', async (type, body) => {
  const headers = { 'Content-Type': type };
  const response = await identity.client.post('/v3/OS-OAUTH2/token', { body, headers });
  expect(response.status).toBe(501);
  const elsewhere = await identity.client.post('/v3/auth/tokens', { body, headers });
  expect(elsewhere.status).toBe(type === 'application/json' ? 400 : 415);
});

it('is in the table of routes', () => {
  const routes = routesOfControllers([unsupportedController(UNSUPPORTED_OPERATIONS)]);
  expect(routes).toHaveLength(UNSUPPORTED_OPERATIONS.length);
  expect(routes).toContainEqual({
    method: 'PATCH',
    path: '/v3/OS-OAUTH1/consumers/{consumer_id}',
    access: { kind: 'authenticated' },
    handler: 'UnsupportedController.oAuth1ChangeAConsumer',
    operation: expect.objectContaining({ status: 501, creates: false }),
  });
});

it('does not affect other operations on the same paths', async () => {
  const response = await identity.client.get('/v3/domains/default', { token });
  expect(response.status).toBe(200);
  const unknown = await identity.client.put('/v3/OS-OAUTH1/consumers', { token, body: {} });
  expect(unknown.status).toBe(405);
});

describe('GET /v3/auth/tokens/OS-PKI/revoked', () => {
  it('is forbidden to everybody', async () => {
    const path = '/v3/auth/tokens/OS-PKI/revoked';
    expect((await identity.client.get(path, { token })).status).toBe(403);
    expect((await identity.client.get(path)).status).toBe(401);
  });
});
