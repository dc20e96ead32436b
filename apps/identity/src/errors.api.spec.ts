/** What every answer has in common, whatever went wrong. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentity, type TestIdentity } from './identity.fixture.js';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

describe('every answer', () => {
  it.each([
    ['GET', '/v3'],
    ['GET', '/v3/projects'],
    ['GET', '/v3/nosuch'],
    ['PUT', '/v3/auth/tokens'],
    ['GET', '/v3/users/%zz'],
  ])('has its request id under both names: %s %s', async (method, path) => {
    const { headers } = await identity.client.send(method, path);
    const id = headers.get('X-Platform-Request-Id');
    expect(id).toMatch(/^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(headers.get('X-Openstack-Request-Id')).toBe(id);
  });

  it.each([
    ['GET', '/v3'],
    ['GET', '/v3/projects'],
    ['GET', '/v3/nosuch'],
    ['GET', '/v3/users/%zz'],
  ])('says that it depends on the token: %s %s', async (method, path) => {
    const { headers } = await identity.client.send(method, path);
    expect(headers.get('Vary')).toBe('X-Auth-Token');
  });

  it('has an id of its own, beside the one that the caller gave the chain', async () => {
    const global = 'req-00000000-0000-4000-8000-000000000000';
    const { headers } = await identity.client.get('/v3', {
      headers: { 'X-Openstack-Request-Id': global },
    });
    expect(headers.get('X-Platform-Request-Id')).not.toBe(global);
  });
});

describe('errors', () => {
  it('are in the envelope of Keystone', async () => {
    const response = await identity.client.get('/v3/projects');
    expect(response.status).toBe(401);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(response.body).toEqual({
      error: {
        code: 401,
        message: 'The request you have made requires authentication.',
        title: 'Unauthorized',
      },
    });
  });

  it('are JSON for an unknown path, too', async () => {
    const response = await identity.client.get('/v3/nosuch');
    expect(response.status).toBe(404);
    expect(response.body).toEqual({
      error: { code: 404, message: 'No operation GET /v3/nosuch exists.', title: 'Not Found' },
    });
  });

  it('name the methods that a path does answer', async () => {
    const response = await identity.client.put('/v3/auth/tokens', { body: {} });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('DELETE, GET, HEAD, POST');
    expect(response.body).toMatchObject({ error: { code: 405, title: 'Method Not Allowed' } });
  });
});
