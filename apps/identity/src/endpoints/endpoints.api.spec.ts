import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pick, startCatalog, type CatalogWorld, type Json } from '../catalog/catalog.fixture.js';
import { messageOf } from '../identity.fixture.js';

let world: CatalogWorld;
let service: string;

beforeAll(async () => {
  world = await startCatalog();
  service = String((await world.made('services', 'service', { type: 'mail' }))['id']);
});
afterAll(() => world.identity.stop());

const fields = (changes: object = {}): object => ({
  service_id: service,
  interface: 'public',
  url: 'http://mail.example/%(project_id)s',
  ...changes,
});

const made = (changes?: object): Promise<Json> =>
  world.made('endpoints', 'endpoint', fields(changes));

describe('POST /v3/endpoints', () => {
  it('creates an endpoint with further properties', async () => {
    const response = await world.ask('POST', 'endpoints', {
      endpoint: fields({ region_id: 'North', name: 'letters' }),
    });
    expect(response.status).toBe(201);
    const { endpoint } = response.body as { endpoint: { id: string } };
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      service_id: service,
      interface: 'public',
      region_id: 'North',
      region: 'North',
      url: 'http://mail.example/%(project_id)s',
      enabled: true,
      name: 'letters',
      links: { self: `${world.identity.client.baseUrl}/v3/endpoints/${endpoint.id}` },
    });
    expect((await world.ask('GET', `endpoints/${endpoint.id}`)).body).toEqual({ endpoint });
  });

  it('needs no region', async () => {
    expect(await made()).toMatchObject({ region_id: null, region: null });
  });

  it('creates the region that older clients name', async () => {
    expect(await made({ region: 'Old' })).toMatchObject({ region_id: 'Old', region: 'Old' });
    expect((await world.ask('GET', 'regions/Old')).status).toBe(200);
    expect(await made({ region: 'Old' })).toMatchObject({ region_id: 'Old' });
  });

  it.each(['a/b', '..'])(
    'does not create a region whose ID does not fit into a path: %s',
    async (region) => {
      const response = await world.ask('POST', 'endpoints', { endpoint: fields({ region }) });
      expect(response.status).toBe(400);
      expect(messageOf(response)).toContain(`or be '.' or '..': '${region}'`);
    },
  );

  it.each([
    ['region_id', 'there is no region'],
    ['service_id', 'there is no service'],
  ])('refuses a %s that is not there', async (property, message) => {
    const response = await world.ask('POST', 'endpoints', {
      endpoint: fields({ [property]: 'nothing' }),
    });
    expect(response.status).toBe(400);
    expect(messageOf(response)).toContain(`${message} 'nothing'`);
  });

  it.each([
    [{ interface: 'secret' }],
    [{ interface: undefined }],
    [{ service_id: undefined }],
    [{ url: undefined }],
    [{ url: 'mail.example' }],
    [{ url: 'ftp://mail.example' }],
    [{ url: 'http://mail.example/$(password)s' }],
    [{ enabled: 'True' }],
    [{ region_id: 7 }],
  ])('refuses %j', async (changes) => {
    const response = await world.ask('POST', 'endpoints', { endpoint: fields(changes) });
    expect(response.status).toBe(400);
  });

  it('lists the names that a URL may contain', async () => {
    const response = await world.ask('POST', 'endpoints', { endpoint: fields({ url: '$(a)s' }) });
    expect(messageOf(response)).toContain(
      'endpoint.url must be an http or https URL of at most 225 characters',
    );
    expect(messageOf(response)).toContain('user_id, project_id, tenant_id, public_endpoint');
  });

  it('is allowed for administrators only', async () => {
    for (const token of [world.systemReader, world.member]) {
      const response = await world.ask('POST', 'endpoints', { endpoint: fields() }, token);
      expect(response.status).toBe(403);
    }
  });
});

describe('GET /v3/endpoints', () => {
  it('lists endpoints by service, interface and region', async () => {
    const other = String((await world.made('services', 'service', { type: 'other' }))['id']);
    for (const change of [
      { interface: 'public', region: 'East' },
      { interface: 'admin', region: 'East' },
      { interface: 'admin', region: 'West' },
    ])
      await made({ service_id: other, ...change });
    const found = async (query: string): Promise<unknown[]> =>
      pick(
        await world.ask(
          'GET',
          `endpoints?service_id=${other}&${query}`,
          undefined,
          world.systemReader,
        ),
        'endpoints',
        'interface',
      );
    expect(await found('')).toEqual(['public', 'admin', 'admin']);
    expect(await found('interface=admin')).toEqual(['admin', 'admin']);
    expect(await found('interface=admin&region_id=West')).toEqual(['admin']);
    expect(await found('region_id=nowhere')).toEqual([]);
  });

  it('refuses an unknown interface', async () => {
    expect((await world.ask('GET', 'endpoints?interface=secret')).status).toBe(400);
  });

  it('is refused to users of projects', async () => {
    expect((await world.ask('GET', 'endpoints', undefined, world.member)).status).toBe(403);
  });
});

describe('PATCH /v3/endpoints/{endpoint_id}', () => {
  it('changes what is named, and nothing else', async () => {
    const before = await made({ region_id: 'North', name: 'letters' });
    const path = `endpoints/${String(before['id'])}`;
    const change = async (endpoint: object): Promise<unknown> =>
      (await world.ask('PATCH', path, { endpoint })).body;
    expect(await change({ url: 'https://new.example', enabled: false })).toEqual({
      endpoint: { ...before, url: 'https://new.example', enabled: false },
    });
    expect(await change({ region_id: null, interface: 'admin' })).toMatchObject({
      endpoint: { url: 'https://new.example', region_id: null, interface: 'admin' },
    });
    expect(await change({ region: 'Made' })).toMatchObject({ endpoint: { region_id: 'Made' } });
  });

  it('accepts what a client has read', async () => {
    const before = await made({ region_id: 'North' });
    const response = await world.ask('PATCH', `endpoints/${String(before['id'])}`, {
      endpoint: before,
    });
    expect(response.body).toEqual({ endpoint: before });
  });

  it.each([
    [{ url: 'ftp://mail.example' }],
    [{ interface: 'secret' }],
    [{ region_id: 'nowhere' }],
    [{ service_id: 'nothing' }],
    [{ enabled: 'False' }],
    [{ id: 'other' }],
    [{}],
  ])('refuses %j', async (endpoint) => {
    const { id } = await made();
    expect((await world.ask('PATCH', `endpoints/${String(id)}`, { endpoint })).status).toBe(400);
  });
});

describe('DELETE /v3/endpoints/{endpoint_id}', () => {
  it('removes an endpoint', async () => {
    const path = `endpoints/${String((await made())['id'])}`;
    expect((await world.ask('DELETE', path, undefined, world.systemReader)).status).toBe(403);
    expect((await world.ask('DELETE', path)).status).toBe(204);
    expect((await world.ask('DELETE', path)).status).toBe(404);
    expect((await world.ask('PATCH', path, { endpoint: { name: 'a' } })).status).toBe(404);
    expect(messageOf(await world.ask('GET', path))).toMatch(/^Could not find endpoint: \w{32}\.$/);
  });
});
