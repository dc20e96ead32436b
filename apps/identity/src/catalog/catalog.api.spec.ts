/** The catalog that tokens show follows the rows. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ADMIN_PASSWORD,
  login,
  projectScope,
  signedIn,
  startIdentity,
  tokenOf,
  type TestIdentity,
  startReplica,
} from '../identity.fixture.js';
import type { CatalogEntry } from './catalog.js';

let identity: TestIdentity;
let admin: string;

beforeAll(async () => {
  identity = await startIdentity();
  admin = await tokenOf(identity.client);
});
afterAll(() => identity.stop());

async function catalog(token = admin, headers = {}): Promise<readonly CatalogEntry[]> {
  const response = await identity.client.get('/v3/auth/catalog', { token, headers });
  return (response.body as { catalog: CatalogEntry[] }).catalog;
}

const urlsOf = (entries: readonly CatalogEntry[], type: string): unknown =>
  entries.find((entry) => entry.type === type)?.endpoints.map(({ url }) => url);

async function made(path: string, key: string, fields: object): Promise<string> {
  const response = await identity.client.post(`/v3/${path}`, {
    token: admin,
    body: { [key]: fields },
  });
  return (response.body as Record<string, { id: string }>)[key]?.id ?? '';
}

const change = (path: string, body: object): Promise<unknown> =>
  identity.client.patch(`/v3/${path}`, { token: admin, body });

describe('the catalog', () => {
  it('is the same in a new token, in one that is shown, and by itself', async () => {
    const issued = await login(identity.client, { scope: projectScope('admin') });
    const shown = await identity.client.get('/v3/auth/tokens', {
      token: admin,
      headers: { 'X-Subject-Token': admin },
    });
    const expected = await catalog();
    expect(issued.body).toMatchObject({ token: { catalog: expected } });
    expect(shown.body).toMatchObject({ token: { catalog: expected } });
    expect(expected.map(({ type }) => type)).toEqual(['compute', 'identity', 'orchestration']);
  });

  it('has the endpoints of the settings, public ones first', async () => {
    const compute = (await catalog()).find(({ type }) => type === 'compute');
    expect(compute).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      type: 'compute',
      name: 'nova',
      endpoints: ['public', 'internal', 'admin'].map((one) => ({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        interface: one,
        region: 'RegionOne',
        region_id: 'RegionOne',
        url: 'http://compute.example/v2.1',
      })),
    });
  });

  it('has the URL of identity by the address of the request', async () => {
    const { baseUrl } = identity.client;
    const here = `${baseUrl}/v3`;
    expect(urlsOf(await catalog(), 'identity')).toEqual([here, here, here]);
    const forwarded = { 'X-Forwarded-Host': 'cloud.example', 'X-Forwarded-Proto': 'https' };
    expect(urlsOf(await catalog(admin, forwarded), 'identity')).toEqual([here, here, here]);
  });

  it('has the URL of identity by the headers of a trusted proxy', async () => {
    const behind = await startReplica(identity, { trustedProxies: '127.0.0.0/8' });
    try {
      const headers = { 'X-Forwarded-Host': 'cloud.example', 'X-Forwarded-Proto': 'https' };
      const { body } = await behind.client.get('/v3/auth/catalog', { token: admin, headers });
      const { catalog: entries } = body as { catalog: CatalogEntry[] };
      expect(urlsOf(entries, 'identity')).toContain('https://cloud.example/v3');
    } finally {
      await behind.stop();
    }
  });

  it('has the addresses by which guests reach the cloud', async () => {
    const { services } = identity.config;
    const url = 'http://cloud.example/container-infra/v1';
    const magnum = { user: 'clusters', type: 'container-infra', name: 'magnum', url };
    const cloud = await startIdentity({
      publicUrl: 'http://cloud.example/identity',
      trustedProxies: '127.0.0.0/8',
      services: [...services, magnum],
    });
    try {
      const headers = { 'X-Forwarded-Host': '169.254.169.254:8080' };
      const body = {
        auth: {
          identity: {
            methods: ['password'],
            password: {
              user: { name: 'admin', domain: { id: 'default' }, password: ADMIN_PASSWORD },
            },
          },
          scope: projectScope('admin'),
        },
      };
      const issued = await cloud.client.post('/v3/auth/tokens', { body, headers });
      const { token } = issued.body as { token: { catalog: CatalogEntry[] } };
      const firstOf = (entries: readonly CatalogEntry[], type: string): unknown =>
        (urlsOf(entries, type) as string[])[0];
      const door = 'http://169.254.169.254:8080';
      expect(firstOf(token.catalog, 'identity')).toBe(`${door}/identity/v3`);
      expect(firstOf(token.catalog, 'container-infra')).toBe(`${door}/container-infra/v1`);
      expect(firstOf(token.catalog, 'compute')).toBe('http://compute.example/v2.1');
      const version = await cloud.client.get('/v3', { headers });
      expect(version.body).toMatchObject({
        version: { links: [{ href: `${door}/identity/v3/` }] },
      });
      const refused = await cloud.client.get('/v3/auth/catalog', { headers });
      expect(refused.headers.get('WWW-Authenticate')).toBe(`Keystone uri="${door}/identity/v3"`);
      const other = await cloud.client.get('/v3/auth/catalog', { token: signedIn(issued) });
      const { catalog: others } = other.body as { catalog: CatalogEntry[] };
      expect(firstOf(others, 'container-infra')).toBe(url);
    } finally {
      await cloud.stop();
    }
  });

  it('shows a service as soon as it is made, and its endpoints with the project', async () => {
    const id = await made('services', 'service', { type: 'mail', name: 'postman' });
    expect(urlsOf(await catalog(), 'mail')).toEqual([]);
    const url = 'http://mail.example/%(tenant_id)s/%(user_id)s';
    const endpoint = await made('endpoints', 'endpoint', {
      service_id: id,
      interface: 'public',
      url,
    });
    const [project] = await identity.app.dataSource.query<{ id: string }[]>(
      `SELECT id FROM projects WHERE name = 'admin'`,
    );
    const [user] = await identity.app.dataSource.query<{ id: string }[]>(
      `SELECT id FROM users WHERE name = 'admin'`,
    );
    expect(urlsOf(await catalog(), 'mail')).toEqual([
      `http://mail.example/${project?.id ?? ''}/${user?.id ?? ''}`,
    ]);
    await change(`endpoints/${endpoint}`, { endpoint: { enabled: false } });
    expect(urlsOf(await catalog(), 'mail')).toEqual([]);
    await change(`services/${id}`, { service: { enabled: false } });
    expect(urlsOf(await catalog(), 'mail')).toBeUndefined();
  });

  it('leaves out endpoints that name a project in a token of the system', async () => {
    const issued = await login(identity.client, { scope: { system: { all: true } } });
    const { token } = issued.body as { token: { catalog: CatalogEntry[] } };
    expect(urlsOf(token.catalog, 'orchestration')).toEqual([]);
    expect(urlsOf(token.catalog, 'compute')).toHaveLength(3);
  });
});
