import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { pick, startCatalog, type CatalogWorld, type Json } from '../catalog/catalog.fixture.js';
import { messageOf } from '../identity.fixture.js';

let world: CatalogWorld;
let service: string;

/** Two projects in the domain `ours`, and one in `theirs`. */
const PROJECTS = { one: 'ours', two: 'ours', three: 'theirs' };

beforeAll(async () => {
  world = await startCatalog();
  service = String((await world.made('services', 'service', { type: 'volumes' }))['id']);
  const { dataSource } = world.identity.app;
  await dataSource.query(`INSERT INTO domains (id, name) SELECT id, id
                            FROM unnest(ARRAY['ours', 'theirs']) AS id`);
  for (const [id, domain] of Object.entries(PROJECTS))
    await dataSource.query('INSERT INTO projects (id, name, domain_id) VALUES ($1, $1, $2)', [
      id,
      domain,
    ]);
  await world.ask('POST', 'registered_limits', {
    registered_limits: [
      { service_id: service, resource_name: 'volumes', default_limit: 10 },
      { service_id: service, resource_name: 'volumes', region_id: 'North', default_limit: 10 },
      { service_id: service, resource_name: 'snapshots', default_limit: 10 },
    ],
  });
});
afterAll(() => world.identity.stop());

beforeEach(() => world.identity.app.dataSource.query('DELETE FROM limits'));

const fields = (changes: object = {}): object => ({
  project_id: 'one',
  service_id: service,
  resource_name: 'volumes',
  resource_limit: 5,
  ...changes,
});

const create = (...limits: object[]): Promise<TestResponse> =>
  world.ask('POST', 'limits', { limits });

async function made(changes?: object): Promise<Json & { id: string }> {
  const { body } = await create(fields(changes));
  const [limit] = (body as { limits: (Json & { id: string })[] }).limits;
  if (!limit) throw new Error('no limit was made');
  return limit;
}

const ofProject = (projectId: string, domainId: string, roles: string[]): Promise<string> =>
  world.tokens.issue(roles, { projectId, domainId });

const ofDomain = (domainId: string, roles: string[]): Promise<string> =>
  world.tokens.issue(roles, { projectId: undefined, domainId, scope: 'domain' });

describe('POST /v3/limits', () => {
  it('creates several, in their order', async () => {
    const response = await create(
      fields({ region_id: 'North', description: 'More.' }),
      fields({ project_id: null, domain_id: 'ours', resource_limit: -1 }),
    );
    expect(response.status).toBe(201);
    const { limits } = response.body as { limits: { id: string }[] };
    expect(response.body).toEqual({
      limits: [
        {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          project_id: 'one',
          domain_id: null,
          service_id: service,
          region_id: 'North',
          resource_name: 'volumes',
          resource_limit: 5,
          description: 'More.',
          links: { self: `${world.identity.client.baseUrl}/v3/limits/${limits[0]?.id ?? ''}` },
        },
        expect.objectContaining({
          project_id: null,
          domain_id: 'ours',
          region_id: null,
          resource_limit: -1,
          description: null,
        }),
      ],
    });
    const shown = await world.ask('GET', `limits/${limits[0]?.id ?? ''}`);
    expect(shown.body).toEqual({ limit: limits[0] });
  });

  it.each([{}, { project_id: undefined, domain_id: 'ours' }])(
    'refuses a duplicate of the owner: %j',
    async (changes) => {
      await made(changes);
      const response = await create(fields({ project_id: 'two' }), fields(changes));
      expect(response.status).toBe(409);
      expect(messageOf(response)).toContain('volumes');
      expect(pick(await world.ask('GET', 'limits'), 'limits', 'id')).toHaveLength(1);
    },
  );

  it('refuses a duplicate in one request, and creates none', async () => {
    expect((await create(fields(), fields())).status).toBe(409);
    expect(pick(await world.ask('GET', 'limits'), 'limits', 'id')).toEqual([]);
  });

  it('refuses a limit without a registered limit, and creates none', async () => {
    const response = await create(fields(), fields({ resource_name: 'backups' }));
    expect(response.status).toBe(403);
    expect(messageOf(response)).toBe(
      `Cannot create a limit of backups: the service ${service} has no registered limit of it without a region.`,
    );
    expect(pick(await world.ask('GET', 'limits'), 'limits', 'id')).toEqual([]);
    const elsewhere = await create(fields({ resource_name: 'snapshots', region_id: 'North' }));
    expect(elsewhere.status).toBe(403);
    expect(messageOf(elsewhere)).toContain('in the region North');
  });

  it.each([
    ['service_id', {}],
    ['region_id', {}],
    ['project_id', {}],
    ['domain_id', { project_id: null }],
  ])('refuses an unknown %s', async (property, changes) => {
    const response = await create(fields({ ...changes, [property]: 'nothing' }));
    expect(response.status).toBe(400);
    expect(messageOf(response)).toBe(`Invalid input: ${property} 'nothing' does not exist.`);
  });

  it.each([
    [{ project_id: undefined }],
    [{ project_id: null, domain_id: null }],
    [{ domain_id: 'ours' }],
  ])('is of a project or of a domain: %j', async (changes) => {
    const response = await create(fields(changes));
    expect(response.status).toBe(400);
    expect(messageOf(response)).toContain('either project_id or domain_id');
  });

  it.each([
    [{ service_id: undefined }],
    [{ resource_name: undefined }],
    [{ resource_limit: undefined }],
    [{ resource_limit: -2 }],
    [{ resource_limit: '5' }],
    [{ colour: 'red' }],
  ])('refuses %j', async (changes) => {
    expect((await create(fields(changes))).status).toBe(400);
  });

  it('refuses an empty list', async () => {
    expect((await create()).status).toBe(400);
  });

  it('is allowed for administrators only', async () => {
    for (const token of [world.systemReader, world.member]) {
      const response = await world.ask('POST', 'limits', { limits: [fields()] }, token);
      expect(response.status).toBe(403);
    }
  });
});

describe('GET /v3/limits', () => {
  const owners = async (token: string, query = ''): Promise<unknown[]> => {
    const response = await world.ask('GET', `limits?${query}`, undefined, token);
    const { limits } = response.body as { limits: Json[] };
    return limits.map((limit) => limit['project_id'] ?? limit['domain_id']).sort();
  };
  const everything = ['one', 'ours', 'three', 'two'];

  beforeEach(async () => {
    await create(
      ...Object.keys(PROJECTS).map((id) => fields({ project_id: id })),
      fields({ project_id: null, domain_id: 'ours', resource_name: 'snapshots' }),
    );
  });

  it('shows all to administrators, readers of the system and services', async () => {
    expect(await owners(world.admin)).toEqual(everything);
    expect(await owners(world.systemReader)).toEqual(everything);
    expect(await owners(await world.tokens.issue(['admin']))).toEqual(everything);
    expect(await owners(await world.tokens.issue(['service']))).toEqual(everything);
  });

  it('shows those of its own to a project', async () => {
    expect(await owners(await ofProject('one', 'ours', ['member']))).toEqual(['one']);
    expect(await owners(await ofProject('four', 'ours', ['member']))).toEqual([]);
  });

  it('shows its own, and those of its projects, to a domain', async () => {
    expect(await owners(await ofDomain('ours', ['admin']))).toEqual(['one', 'ours', 'two']);
    expect(await owners(await ofDomain('theirs', ['reader']))).toEqual(['three']);
  });

  it('shows none to a token without a scope', async () => {
    const token = await world.tokens.issue([], {
      projectId: undefined,
      domainId: undefined,
      scope: 'unscoped',
    });
    expect(await owners(token)).toEqual([]);
  });

  it('lists by service, region, resource, project and domain', async () => {
    await create(fields({ region_id: 'North', project_id: 'one' }));
    expect(await owners(world.admin, `service_id=${service}`)).toHaveLength(5);
    expect(await owners(world.admin, 'service_id=nothing')).toEqual([]);
    expect(await owners(world.admin, 'region_id=North')).toEqual(['one']);
    expect(await owners(world.admin, 'resource_name=snapshots')).toEqual(['ours']);
    expect(await owners(world.admin, 'project_id=two')).toEqual(['two']);
    expect(await owners(world.admin, 'domain_id=ours')).toEqual(['ours']);
    const reader = await ofProject('one', 'ours', ['reader']);
    expect(await owners(reader, 'project_id=two')).toEqual([]);
  });
});

describe('GET /v3/limits/{limit_id}', () => {
  const status = async (id: string, token: string): Promise<number> =>
    (await world.ask('GET', `limits/${id}`, undefined, token)).status;

  it('is allowed for its project, and for readers of its domain or of the system', async () => {
    const { id } = await made();
    expect(await status(id, world.systemReader)).toBe(200);
    expect(await status(id, await ofProject('one', 'ours', ['member']))).toBe(200);
    expect(await status(id, await ofDomain('ours', ['reader']))).toBe(200);
    expect(await status(id, await ofProject('two', 'ours', ['member']))).toBe(403);
    expect(await status(id, await ofDomain('theirs', ['reader']))).toBe(403);
  });

  it('is allowed for readers of its domain, and not for its projects', async () => {
    const { id } = await made({ project_id: null, domain_id: 'ours' });
    expect(await status(id, await ofDomain('ours', ['reader']))).toBe(200);
    expect(await status(id, await ofProject('one', 'ours', ['member']))).toBe(403);
  });

  it('answers 404 only to callers who may see all', async () => {
    expect(await status('nothing', world.systemReader)).toBe(404);
    expect(await status('nothing', world.member)).toBe(403);
    const response = await world.ask('GET', 'limits/nothing');
    expect(messageOf(response)).toBe('Could not find limit: nothing.');
  });
});

describe('PATCH /v3/limits/{limit_id}', () => {
  const change = (id: string, limit: object, token?: string): Promise<TestResponse> =>
    world.ask('PATCH', `limits/${id}`, { limit }, token);

  it('changes how much it is, and its description', async () => {
    const limit = await made({ description: 'old' });
    const response = await change(limit.id, { resource_limit: 0 });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ limit: { ...limit, resource_limit: 0 } });
    expect((await change(limit.id, { description: null })).body).toEqual({
      limit: { ...limit, resource_limit: 0, description: null },
    });
  });

  it.each([[{ resource_name: 'snapshots' }], [{ project_id: 'two' }], [{ resource_limit: -2 }]])(
    'refuses %j',
    async (changes) => {
      expect((await change((await made()).id, changes)).status).toBe(400);
    },
  );

  it('answers 404 for an unknown one, and 403 to all but administrators', async () => {
    expect((await change('nothing', { resource_limit: 1 })).status).toBe(404);
    const { id } = await made();
    expect((await change(id, { resource_limit: 1 }, world.systemReader)).status).toBe(403);
  });
});

describe('DELETE /v3/limits/{limit_id}', () => {
  it('removes one', async () => {
    const path = `limits/${(await made()).id}`;
    expect((await world.ask('DELETE', path, undefined, world.systemReader)).status).toBe(403);
    expect((await world.ask('DELETE', path)).status).toBe(204);
    expect((await world.ask('DELETE', path)).status).toBe(404);
  });

  it('is deleted with its project', async () => {
    const { id } = await made({ project_id: 'two' });
    await world.identity.app.dataSource.query(`DELETE FROM projects WHERE id = 'two'`);
    expect((await world.ask('GET', `limits/${id}`)).status).toBe(404);
    await world.identity.app.dataSource.query(
      `INSERT INTO projects (id, name, domain_id) VALUES ('two', 'two', 'ours')`,
    );
  });
});

it('has a flat model', async () => {
  const response = await world.ask('GET', 'limits/model', undefined, world.member);
  expect(response.body).toEqual({ model: { name: 'flat', description: expect.any(String) } });
});
