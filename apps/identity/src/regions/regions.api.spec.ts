import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pick, startCatalog, type CatalogWorld } from '../catalog/catalog.fixture.js';
import { messageOf } from '../identity.fixture.js';

let world: CatalogWorld;

beforeAll(async () => {
  world = await startCatalog();
});
afterAll(() => world.identity.stop());

/** The region of the settings stays: its endpoints use it. */
beforeEach(() => world.identity.app.dataSource.query(`DELETE FROM regions WHERE id <> 'North'`));

describe('POST /v3/regions', () => {
  it('creates a region with the ID of the client and further properties', async () => {
    const response = await world.ask('POST', 'regions', {
      region: { id: 'South', description: 'below', parent_region_id: 'North', tier: 2 },
    });
    expect(response.status).toBe(201);
    const region = {
      id: 'South',
      description: 'below',
      parent_region_id: 'North',
      tier: 2,
      links: { self: `${world.identity.client.baseUrl}/v3/regions/South` },
    };
    expect(response.body).toEqual({ region });
    expect((await world.ask('GET', 'regions/South')).body).toEqual({ region });
  });

  it.each([{}, { id: '' }, { description: null, parent_region_id: null }])(
    'generates an ID by default: %j',
    async (fields) => {
      const region = await world.made('regions', 'region', fields);
      expect(region).toMatchObject({ description: '', parent_region_id: null });
      expect(region['id']).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  it('refuses an ID in use', async () => {
    const response = await world.ask('POST', 'regions', { region: { id: 'North' } });
    expect(response.status).toBe(409);
    expect(messageOf(response)).toBe(`A region with the id 'North' exists already.`);
  });

  it.each(['nowhere', 'itself'])('refuses an unknown parent: %s', async (parent) => {
    const response = await world.ask('POST', 'regions', {
      region: { id: 'itself', parent_region_id: parent },
    });
    expect(response.status).toBe(404);
    expect(messageOf(response)).toBe(`Could not find region: ${parent}.`);
  });

  it.each([
    [{ id: 'a'.repeat(256) }],
    [{ id: 7 }],
    [{ description: 7 }],
    [{ parent_region_id: '' }],
  ])('refuses %j', async (region) => {
    expect((await world.ask('POST', 'regions', { region })).status).toBe(400);
  });

  it.each(['.', '..', '/', 'a/b', '/a', 'a/'])(
    'refuses an ID that does not fit into a path: %s',
    async (id) => {
      const response = await world.ask('POST', 'regions', { region: { id } });
      expect(response.status).toBe(400);
      expect(messageOf(response)).toContain(`or be '.' or '..': '${id}'`);
    },
  );

  it.each(['...', '.a', 'a.', 'a b', 'a%2Fb', '%', 'a?b', 'ä'])(
    'creates a region that can be read again: %s',
    async (id) => {
      await world.made('regions', 'region', { id });
      const response = await world.ask('GET', `regions/${encodeURIComponent(id)}`);
      expect(response.body).toMatchObject({ region: { id } });
    },
  );

  it('is allowed for administrators only', async () => {
    for (const token of [world.systemReader, world.member])
      expect((await world.ask('POST', 'regions', { region: {} }, token)).status).toBe(403);
  });
});

describe('PUT /v3/regions/{region_id}', () => {
  it('creates a region with the ID of the path, once', async () => {
    const response = await world.ask('PUT', 'regions/a%20b', { region: {} });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      region: { id: 'a b', links: { self: expect.stringMatching(/\/regions\/a%20b$/) } },
    });
    expect((await world.ask('PUT', 'regions/a%20b', { region: {} })).status).toBe(409);
  });

  it('refuses another id in the body', async () => {
    const response = await world.ask('PUT', 'regions/one', { region: { id: 'other' } });
    expect(response.status).toBe(400);
    expect(messageOf(response)).toContain(`'other' is not the id 'one' of the path`);
  });

  it('refuses an id with a slash', async () => {
    const response = await world.ask('PUT', 'regions/a%2Fb', { region: {} });
    expect(response.status).toBe(400);
    expect(messageOf(response)).toContain("must not contain a slash, or be '.' or '..': 'a/b'");
  });

  it('refuses an id that is too long', async () => {
    const response = await world.ask('PUT', `regions/${'a'.repeat(256)}`, { region: {} });
    expect(response.status).toBe(400);
  });
});

describe('GET /v3/regions', () => {
  it('lists regions for every token, also those below one', async () => {
    await world.made('regions', 'region', { id: 'below', parent_region_id: 'North' });
    const all = await world.ask('GET', 'regions', undefined, world.member);
    expect(pick(all, 'regions', 'id')).toEqual(['North', 'below']);
    const some = await world.ask('GET', 'regions?parent_region_id=North', undefined, world.member);
    expect(pick(some, 'regions', 'id')).toEqual(['below']);
  });

  it('answers 404 for an unknown region', async () => {
    const response = await world.ask('GET', 'regions/nowhere');
    expect(response.status).toBe(404);
    expect(messageOf(response)).toBe('Could not find region: nowhere.');
  });
});

describe('PATCH /v3/regions/{region_id}', () => {
  it('changes what is named, and nothing else', async () => {
    await world.made('regions', 'region', {
      id: 'a',
      description: 'old',
      parent_region_id: 'North',
      one: 1,
    });
    const change = async (region: object): Promise<unknown> =>
      (await world.ask('PATCH', 'regions/a', { region })).body;
    expect(await change({ id: 'a', description: 'new', two: 2 })).toMatchObject({
      region: { description: 'new', parent_region_id: 'North', one: 1, two: 2 },
    });
    expect(await change({ parent_region_id: null, description: null })).toMatchObject({
      region: { description: '', parent_region_id: null, one: 1 },
    });
  });

  it('refuses a circle', async () => {
    await world.made('regions', 'region', { id: 'a' });
    await world.made('regions', 'region', { id: 'b', parent_region_id: 'a' });
    await world.made('regions', 'region', { id: 'c', parent_region_id: 'b' });
    for (const parent of ['a', 'b', 'c']) {
      const response = await world.ask('PATCH', 'regions/a', {
        region: { parent_region_id: parent },
      });
      expect(response.status).toBe(400);
      expect(messageOf(response)).toContain(`'${parent}' is the region 'a' itself`);
    }
  });

  it('refuses two changes that make a circle together', async () => {
    await world.made('regions', 'region', { id: 'a' });
    await world.made('regions', 'region', { id: 'b' });
    const answers = await Promise.all([
      world.ask('PATCH', 'regions/a', { region: { parent_region_id: 'b' } }),
      world.ask('PATCH', 'regions/b', { region: { parent_region_id: 'a' } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('answers 404 for an unknown region or parent', async () => {
    const statusOf = async (id: string, parent: string): Promise<number> =>
      (await world.ask('PATCH', `regions/${id}`, { region: { parent_region_id: parent } })).status;
    expect(await statusOf('nowhere', 'North')).toBe(404);
    expect(await statusOf('North', 'nowhere')).toBe(404);
  });

  it.each([[{ id: 'South' }], [{}]])('refuses %j', async (region) => {
    expect((await world.ask('PATCH', 'regions/North', { region })).status).toBe(400);
  });
});

describe('DELETE /v3/regions/{region_id}', () => {
  it('removes a region with all below it', async () => {
    await world.made('regions', 'region', { id: 'a' });
    await world.made('regions', 'region', { id: 'b', parent_region_id: 'a' });
    await world.made('regions', 'region', { id: 'c', parent_region_id: 'b' });
    expect((await world.ask('DELETE', 'regions/a')).status).toBe(204);
    expect(pick(await world.ask('GET', 'regions'), 'regions', 'id')).toEqual(['North']);
    expect((await world.ask('DELETE', 'regions/a')).status).toBe(404);
  });

  it('refuses one that has endpoints, in itself or below', async () => {
    await world.made('regions', 'region', { id: 'above' });
    await world.ask('PATCH', 'regions/North', { region: { parent_region_id: 'above' } });
    for (const id of ['North', 'above']) {
      const response = await world.ask('DELETE', `regions/${id}`);
      expect(response.status).toBe(403);
      expect(messageOf(response)).toContain(`Cannot delete the region ${id}`);
      expect(messageOf(response)).toContain('endpoints');
    }
    await world.ask('PATCH', 'regions/North', { region: { parent_region_id: null } });
  });

  it('is allowed for administrators only', async () => {
    const response = await world.ask('DELETE', 'regions/North', undefined, world.systemReader);
    expect(response.status).toBe(403);
  });
});
