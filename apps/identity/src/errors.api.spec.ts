/** The common form of errors. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentity, type TestIdentity } from './identity.fixture.js';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

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
