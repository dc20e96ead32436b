import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pick, startCatalog, type CatalogWorld } from '../catalog/catalog.fixture.js';
import { messageOf } from '../identity.fixture.js';

let world: CatalogWorld;

beforeAll(async () => {
  world = await startCatalog();
});
afterAll(() => world.identity.stop());

describe('POST /v3/services', () => {
  it('makes a service, and keeps what else it says', async () => {
    const response = await world.ask('POST', 'services', {
      service: { type: 'mail', name: 'postman', description: 'Letters.', owner: 'us' },
    });
    expect(response.status).toBe(201);
    const { service } = response.body as { service: { id: string } };
    expect(service).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      type: 'mail',
      name: 'postman',
      description: 'Letters.',
      enabled: true,
      owner: 'us',
      links: { self: `${world.identity.client.baseUrl}/v3/services/${service.id}` },
    });
    expect((await world.ask('GET', `services/${service.id}`)).body).toEqual({ service });
  });

  it('needs no more than a type', async () => {
    const service = { type: 'bare', name: null, description: null };
    const id = (await world.made('services', 'service', { ...service, id: 'chosen' }))['id'];
    expect(id).not.toBe('chosen');
    expect((await world.ask('GET', `services/${String(id)}`)).body).toMatchObject({
      service: { type: 'bare', name: '', description: '', enabled: true },
    });
  });

  it.each([
    [{}],
    [{ type: '' }],
    [{ type: 'a'.repeat(256) }],
    [{ type: 7 }],
    [{ type: 'a', enabled: 'True' }],
    [{ type: 'a', name: 7 }],
  ])('refuses %j', async (service) => {
    expect((await world.ask('POST', 'services', { service })).status).toBe(400);
  });

  it('is allowed for administrators only', async () => {
    const service = { type: 'mail' };
    for (const token of [world.systemReader, world.member])
      expect((await world.ask('POST', 'services', { service }, token)).status).toBe(403);
  });
});

describe('GET /v3/services', () => {
  it('lists services by type and name', async () => {
    await world.made('services', 'service', { type: 'metering', name: 'one' });
    await world.made('services', 'service', { type: 'metering', name: 'two' });
    const names = async (query: string): Promise<unknown[]> =>
      pick(
        await world.ask('GET', `services?${query}`, undefined, world.systemReader),
        'services',
        'name',
      );
    expect(await names('type=metering')).toEqual(['one', 'two']);
    expect(await names('type=metering&name=two')).toEqual(['two']);
    expect(await names('name=keystone')).toEqual(['keystone']);
    expect(await names('type=nothing')).toEqual([]);
  });

  it('is refused to users of projects', async () => {
    expect((await world.ask('GET', 'services', undefined, world.member)).status).toBe(403);
  });

  it('answers 404 for a service that is not there', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await world.ask(method, 'services/nothing');
      expect(response.status).toBe(404);
      expect(messageOf(response)).toBe('Could not find service: nothing.');
    }
    const change = await world.ask('PATCH', 'services/nothing', { service: { name: 'a' } });
    expect(change.status).toBe(404);
  });
});

describe('PATCH /v3/services/{service_id}', () => {
  it('changes what is named, and nothing else', async () => {
    const made = await world.made('services', 'service', { type: 'a', name: 'b', one: 1 });
    const id = String(made['id']);
    const change = (service: object): Promise<unknown> =>
      world.ask('PATCH', `services/${id}`, { service }).then(({ body }) => body);
    expect(await change({ name: 'c', enabled: false, two: 2 })).toEqual({
      service: { ...made, name: 'c', enabled: false, two: 2 },
    });
    expect(await change({ type: 'd', description: 'e', enabled: true })).toEqual({
      service: { ...made, type: 'd', name: 'c', description: 'e', two: 2 },
    });
  });

  it('takes back what was read, but no other id', async () => {
    const made = await world.made('services', 'service', { type: 'a' });
    const path = `services/${String(made['id'])}`;
    const repeated = await world.ask('PATCH', path, { service: made });
    expect(repeated.body).toEqual({ service: made });
    for (const service of [{ id: 'other' }, {}])
      expect((await world.ask('PATCH', path, { service })).status).toBe(400);
  });
});

describe('DELETE /v3/services/{service_id}', () => {
  it('removes a service with its endpoints', async () => {
    const id = String((await world.made('services', 'service', { type: 'a' }))['id']);
    const endpoint = await world.made('endpoints', 'endpoint', {
      service_id: id,
      interface: 'public',
      url: 'http://a.example',
    });
    expect((await world.ask('DELETE', `services/${id}`)).status).toBe(204);
    expect((await world.ask('GET', `services/${id}`)).status).toBe(404);
    expect((await world.ask('GET', `endpoints/${String(endpoint['id'])}`)).status).toBe(404);
  });
});
