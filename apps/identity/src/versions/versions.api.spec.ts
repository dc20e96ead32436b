import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentity, type TestIdentity } from '../identity.fixture.js';

const PUBLIC_URL = 'https://cloud.example/identity';
let identity: TestIdentity;

beforeAll(async () => {
  identity = await startIdentity({ publicUrl: PUBLIC_URL });
});
afterAll(() => identity.stop());

const v3 = {
  id: 'v3.14',
  status: 'stable',
  updated: expect.any(String),
  links: [{ rel: 'self', href: `${PUBLIC_URL}/v3/` }],
  'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.identity-v3+json' }],
};

describe('version discovery', () => {
  it('answers 300 with all versions at the root', async () => {
    const response = await identity.client.get('/');
    expect(response.status).toBe(300);
    expect(response.body).toEqual({ versions: { values: [v3] } });
  });

  it.each(['/v3', '/v3/'])('answers 200 with its own version at %s', async (path) => {
    const response = await identity.client.get(path);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ version: v3 });
  });
});

it('sends who has no token to the public address', async () => {
  const response = await identity.client.get('/v3/projects');
  expect(response.headers.get('WWW-Authenticate')).toBe(`Keystone uri="${PUBLIC_URL}/v3"`);
});
