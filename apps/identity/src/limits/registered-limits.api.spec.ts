import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { pick, startCatalog, type CatalogWorld, type Json } from '../catalog/catalog.fixture.js';
import { messageOf } from '../identity.fixture.js';

let world: CatalogWorld;
let service: string;

beforeAll(async () => {
  world = await startCatalog();
  service = String((await world.made('services', 'service', { type: 'volumes' }))['id']);
});
afterAll(() => world.identity.stop());

beforeEach(async () => {
  await world.identity.app.dataSource.query('DELETE FROM limits');
  await world.identity.app.dataSource.query('DELETE FROM registered_limits');
});

const fields = (changes: object = {}): object => ({
  service_id: service,
  resource_name: 'volumes',
  default_limit: 10,
  ...changes,
});

const create = (...limits: object[]): Promise<TestResponse> =>
  world.ask('POST', 'registered_limits', { registered_limits: limits });

async function made(changes?: object): Promise<Json & { id: string }> {
  const { body } = await create(fields(changes));
  const [limit] = (body as { registered_limits: (Json & { id: string })[] }).registered_limits;
  if (!limit) throw new Error('no limit was made');
  return limit;
}

const list = (query = '', token = world.admin): Promise<TestResponse> =>
  world.ask('GET', `registered_limits?${query}`, undefined, token);

describe('POST /v3/registered_limits', () => {
  it('creates several, in their order', async () => {
    const response = await create(
      fields({ resource_name: 'snapshots', region_id: 'North', description: 'Copies.' }),
      fields({ resource_name: 'volumes', default_limit: -1 }),
    );
    expect(response.status).toBe(201);
    const { registered_limits: limits } = response.body as { registered_limits: { id: string }[] };
    const [first] = limits;
    expect(response.body).toEqual({
      registered_limits: [
        {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          service_id: service,
          region_id: 'North',
          resource_name: 'snapshots',
          default_limit: 10,
          description: 'Copies.',
          links: {
            self: `${world.identity.client.baseUrl}/v3/registered_limits/${first?.id ?? ''}`,
          },
        },
        expect.objectContaining({
          region_id: null,
          resource_name: 'volumes',
          default_limit: -1,
          description: null,
        }),
      ],
    });
    const shown = await world.ask('GET', `registered_limits/${first?.id ?? ''}`);
    expect(shown.body).toEqual({ registered_limit: first });
  });

  it.each([{}, { region_id: 'North' }])('refuses a duplicate: %j', async (changes) => {
    await made(changes);
    const response = await create(fields({ resource_name: 'new' }), fields(changes));
    expect(response.status).toBe(409);
    expect(messageOf(response)).toContain('volumes');
    expect(pick(await list(), 'registered_limits', 'resource_name')).toEqual(['volumes']);
  });

  it('refuses a duplicate in one request, and creates none', async () => {
    expect((await create(fields(), fields())).status).toBe(409);
    expect(pick(await list(), 'registered_limits', 'id')).toEqual([]);
  });

  it('accepts a resource for a region and for all regions', async () => {
    expect((await create(fields(), fields({ region_id: 'North' }))).status).toBe(201);
  });

  it.each([
    ['service_id', 'nothing'],
    ['region_id', 'nowhere'],
  ])('refuses an unknown %s', async (property, id) => {
    const response = await create(fields({ [property]: id }));
    expect(response.status).toBe(400);
    expect(messageOf(response)).toBe(`Invalid input: ${property} '${id}' does not exist.`);
  });

  it.each([
    [{ service_id: undefined }],
    [{ resource_name: undefined }],
    [{ resource_name: ' ' }],
    [{ default_limit: undefined }],
    [{ default_limit: -2 }],
    [{ default_limit: 2_147_483_648 }],
    [{ default_limit: '10' }],
    [{ default_limit: 1.5 }],
    [{ description: 7 }],
    [{ colour: 'red' }],
  ])('refuses %j', async (changes) => {
    expect((await create(fields(changes))).status).toBe(400);
  });

  it('refuses an empty list', async () => {
    expect((await create()).status).toBe(400);
  });

  it('is allowed for administrators only', async () => {
    for (const token of [world.systemReader, world.member]) {
      const body = { registered_limits: [fields()] };
      expect((await world.ask('POST', 'registered_limits', body, token)).status).toBe(403);
    }
  });
});

describe('GET /v3/registered_limits', () => {
  it('lists them for every token, by service, region and resource', async () => {
    const other = String((await world.made('services', 'service', { type: 'other' }))['id']);
    await create(
      fields({ resource_name: 'a' }),
      fields({ resource_name: 'b', region_id: 'North' }),
      fields({ resource_name: 'c', service_id: other }),
    );
    const found = async (query: string): Promise<unknown[]> =>
      pick(await list(query, world.member), 'registered_limits', 'resource_name');
    expect((await found('')).sort()).toEqual(['a', 'b', 'c']);
    expect(await found(`service_id=${service}`)).toEqual(['a', 'b']);
    expect(await found('region_id=North')).toEqual(['b']);
    expect(await found('resource_name=c')).toEqual(['c']);
  });

  it('answers 404 for an unknown one', async () => {
    const response = await world.ask('GET', 'registered_limits/nothing');
    expect(response.status).toBe(404);
    expect(messageOf(response)).toBe('Could not find registered limit: nothing.');
  });
});

describe('PATCH /v3/registered_limits/{registered_limit_id}', () => {
  const change = (id: string, limit: object): Promise<TestResponse> =>
    world.ask('PATCH', `registered_limits/${id}`, { registered_limit: limit });

  it('changes what is named, and nothing else', async () => {
    const limit = await made({ region_id: 'North', description: 'old' });
    const response = await change(limit.id, { default_limit: 0, description: null });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      registered_limit: { ...limit, default_limit: 0, description: null },
    });
    expect((await change(limit.id, { region_id: null, resource_name: 'new' })).body).toMatchObject({
      registered_limit: { region_id: null, resource_name: 'new', default_limit: 0 },
    });
  });

  it('may repeat what the limit is of', async () => {
    const limit = await made();
    const response = await change(limit.id, { service_id: service, resource_name: 'volumes' });
    expect(response.status).toBe(200);
  });

  it('refuses a change into a duplicate', async () => {
    await made();
    const limit = await made({ resource_name: 'snapshots' });
    expect((await change(limit.id, { resource_name: 'volumes' })).status).toBe(409);
  });

  it('refuses an unknown service or region', async () => {
    const limit = await made();
    expect((await change(limit.id, { service_id: 'nothing' })).status).toBe(400);
    expect((await change(limit.id, { region_id: 'nowhere' })).status).toBe(400);
    expect((await change(limit.id, { id: 'other' })).status).toBe(400);
    expect((await change('nothing', { default_limit: 1 })).status).toBe(404);
  });
});

describe('a registered limit of which a domain has a limit', () => {
  async function used(): Promise<Json & { id: string }> {
    const limit = await made();
    const response = await world.ask('POST', 'limits', {
      limits: [
        {
          service_id: service,
          resource_name: 'volumes',
          resource_limit: 5,
          domain_id: 'default',
        },
      ],
    });
    expect(response.status).toBe(201);
    return limit;
  }

  it.each([[{ resource_name: 'snapshots' }], [{ region_id: 'North' }]])(
    'does not change its resource: %j',
    async (changes) => {
      const { id } = await used();
      const response = await world.ask('PATCH', `registered_limits/${id}`, {
        registered_limit: changes,
      });
      expect(response.status).toBe(403);
      expect(messageOf(response)).toContain('while limits refer to it');
    },
  );

  it('may be made larger or smaller', async () => {
    const { id } = await used();
    const response = await world.ask('PATCH', `registered_limits/${id}`, {
      registered_limit: { default_limit: 11 },
    });
    expect(response.body).toMatchObject({ registered_limit: { default_limit: 11 } });
  });

  it('is not deleted', async () => {
    const { id } = await used();
    const response = await world.ask('DELETE', `registered_limits/${id}`);
    expect(response.status).toBe(403);
    expect(messageOf(response)).toContain(`Cannot delete the registered limit ${id}`);
  });
});

describe.each(['service', 'region'])('a registered limit whose %s is removed', (kind) => {
  async function orphaned(): Promise<Json & { id: string }> {
    const own = kind === 'service' ? { type: 'gone' } : { description: 'Gone.' };
    const id = String((await world.made(`${kind}s`, kind, own))['id']);
    const limit = await made({ [`${kind}_id`]: id });
    const owned = { service_id: service, resource_name: 'volumes', [`${kind}_id`]: id };
    const response = await world.ask('POST', 'limits', {
      limits: [{ ...owned, resource_limit: 5, domain_id: 'default' }],
    });
    expect(response.status).toBe(201);
    // A client that removed it was refused, though Keystone asks for no order.
    expect((await world.ask('DELETE', `${kind}s/${id}`)).status).toBe(204);
    return limit;
  }

  it('stays, and can be changed and removed', async () => {
    const limit = await orphaned();
    const path = `registered_limits/${limit.id}`;
    expect((await world.ask('GET', path)).body).toEqual({ registered_limit: limit });
    const { id: _id, links: _links, ...same } = limit;
    const change = { registered_limit: { ...same, default_limit: 7 } };
    expect((await world.ask('PATCH', path, change)).body).toEqual({
      registered_limit: { ...limit, default_limit: 7 },
    });
    const { body } = await world.ask('GET', 'limits');
    const [own] = (body as { limits: { id: string }[] }).limits;
    expect((await world.ask('DELETE', `limits/${own?.id ?? ''}`)).status).toBe(204);
    expect((await world.ask('DELETE', path)).status).toBe(204);
  });

  it('gets no new limits', async () => {
    const { resource_name, service_id, region_id, ...limit } = await orphaned();
    const response = await world.ask('POST', 'limits', {
      limits: [{ resource_name, service_id, region_id, resource_limit: 1, domain_id: 'default' }],
    });
    expect(response.status).toBe(400);
    expect(messageOf(response)).toContain(`Invalid input: ${kind}_id '`);
    expect((await world.ask('GET', `registered_limits/${limit.id}`)).status).toBe(200);
  });
});

describe('DELETE /v3/registered_limits/{registered_limit_id}', () => {
  it('removes one', async () => {
    const path = `registered_limits/${(await made()).id}`;
    expect((await world.ask('DELETE', path, undefined, world.systemReader)).status).toBe(403);
    expect((await world.ask('DELETE', path)).status).toBe(204);
    expect((await world.ask('DELETE', path)).status).toBe(404);
  });
});
