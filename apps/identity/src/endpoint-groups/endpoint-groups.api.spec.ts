import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pick, startCatalog, type CatalogWorld } from '../catalog/catalog.fixture.js';
import { messageOf } from '../identity.fixture.js';

const GROUPS = 'OS-EP-FILTER/endpoint_groups';

let world: CatalogWorld;
let service: string;
/** Endpoints of the service: one public in North, one for administrators. */
let endpoints: string[];

beforeAll(async () => {
  world = await startCatalog();
  service = await made('services', 'service', { type: 'mail' });
  endpoints = [];
  for (const fields of [{ interface: 'public', region_id: 'North' }, { interface: 'admin' }])
    endpoints.push(
      await made('endpoints', 'endpoint', { service_id: service, url: 'http://m', ...fields }),
    );
});
afterAll(() => world.identity.stop());

let count = 0;

/** @returns the ID of the new resource */
async function made(path: string, key: string, fields: object): Promise<string> {
  return String((await world.made(path, key, fields))['id']);
}

function makeGroup(filters: object): Promise<string> {
  count += 1;
  return made(GROUPS, 'endpoint_group', { name: `group ${count}`, filters });
}

function makeProject(): Promise<string> {
  count += 1;
  return made('projects', 'project', { name: `project ${count}`, domain_id: 'default' });
}

async function status(method: string, path: string): Promise<number> {
  return (await world.ask(method, `OS-EP-FILTER/${path}`)).status;
}

async function ids(path: string, list: string): Promise<unknown[]> {
  return pick(await world.ask('GET', `OS-EP-FILTER/${path}`), list, 'id').sort();
}

/** The types of services and the endpoints that a token of the project shows. */
async function catalogOf(projectId: string): Promise<{ types: unknown[]; endpoints: unknown[] }> {
  const token = await world.tokens.issue(['member'], { projectId });
  const response = await world.ask('GET', 'auth/catalog', undefined, token);
  const { catalog } = response.body as { catalog: { type: string; endpoints: { id: string }[] }[] };
  return {
    types: catalog.map(({ type }) => type),
    endpoints: catalog.flatMap((entry) => entry.endpoints.map(({ id }) => id)).sort(),
  };
}

describe('/v3/OS-EP-FILTER/endpoint_groups', () => {
  it('creates, changes and deletes a group', async () => {
    const fields = { name: 'a', description: null, filters: { service_id: service } };
    const group = await world.made(GROUPS, 'endpoint_group', fields);
    const path = `${GROUPS}/${String(group['id'])}`;
    const links = { self: `${world.identity.client.baseUrl}/v3/${path}` };
    expect(group).toEqual({ id: expect.any(String), ...fields, links });
    expect((await world.ask('GET', path)).body).toEqual({ endpoint_group: group });
    const change = { description: 'new', filters: { interface: 'admin' } };
    const changed = await world.ask('PATCH', path, { endpoint_group: change });
    expect(changed.body).toEqual({ endpoint_group: { ...group, ...change } });
    expect(await ids('endpoint_groups?name=a', 'endpoint_groups')).toEqual([group['id']]);
    expect(await ids('endpoint_groups?name=none', 'endpoint_groups')).toEqual([]);
    expect((await world.ask('DELETE', path)).status).toBe(204);
    expect((await world.ask('GET', path)).status).toBe(404);
  });

  it.each([
    [{}],
    [{ colour: 'blue' }],
    [{ interface: 'secret' }],
    [{ region_id: 1 }],
    [{ region_id: 'a\0' }],
    [[]],
  ])('refuses filters as %j', async (filters) => {
    const endpoint_group = { name: 'a', filters };
    expect((await world.ask('POST', GROUPS, { endpoint_group })).status).toBe(400);
  });

  it('has the endpoints that pass all of its filters', async () => {
    const path = async (filters: object): Promise<string> =>
      `endpoint_groups/${await makeGroup(filters)}/endpoints`;
    const both = await path({ service_id: service });
    expect(await ids(both, 'endpoints')).toEqual([...endpoints].sort());
    const one = await path({ service_id: service, region_id: 'North', interface: 'public' });
    expect(await ids(one, 'endpoints')).toEqual([endpoints[0]]);
    const none = await path({ service_id: service, region_id: 'nowhere' });
    expect(await ids(none, 'endpoints')).toEqual([]);
    expect(await status('GET', 'endpoint_groups/none/endpoints')).toBe(404);
  });
});

describe('a group of a project', () => {
  it('is added once, shown, listed and removed', async () => {
    const [group, project] = [await makeGroup({ service_id: service }), await makeProject()];
    const path = `endpoint_groups/${group}/projects/${project}`;
    expect(await status('GET', path)).toBe(404);
    expect([await status('PUT', path), await status('PUT', path)]).toEqual([204, 409]);
    const self = `${world.identity.client.baseUrl}/v3/OS-EP-FILTER/${path}`;
    expect((await world.ask('GET', `OS-EP-FILTER/${path}`)).body).toEqual({
      project_endpoint_group: {
        endpoint_group_id: group,
        project_id: project,
        links: { self },
      },
    });
    expect(await ids(`endpoint_groups/${group}/projects`, 'projects')).toEqual([project]);
    expect(await ids(`projects/${project}/endpoint_groups`, 'endpoint_groups')).toEqual([group]);
    expect(await ids(`projects/${project}/endpoints`, 'endpoints')).toEqual([...endpoints].sort());
    expect([await status('DELETE', path), await status('DELETE', path)]).toEqual([204, 404]);
  });

  it('must be there, and the project too', async () => {
    const [group, project] = [await makeGroup({ service_id: service }), await makeProject()];
    const put = (path: string): ReturnType<CatalogWorld['ask']> =>
      world.ask('PUT', `OS-EP-FILTER/endpoint_groups/${path}`);
    expect(messageOf(await put(`none/projects/${project}`))).toBe(
      'Could not find endpoint group: none.',
    );
    expect(messageOf(await put(`${group}/projects/none`))).toBe('Could not find project: none.');
    expect(await status('GET', 'projects/none/endpoint_groups')).toBe(404);
  });
});

describe('an endpoint of a project', () => {
  it('is added once, checked, listed and removed', async () => {
    const project = await makeProject();
    const path = `projects/${project}/endpoints/${endpoints[0] ?? ''}`;
    expect(await status('GET', path)).toBe(404);
    expect([await status('PUT', path), await status('PUT', path)]).toEqual([204, 409]);
    expect([await status('GET', path), await status('HEAD', path)]).toEqual([204, 204]);
    expect(await ids(`endpoints/${endpoints[0] ?? ''}/projects`, 'projects')).toContain(project);
    expect(await ids(`projects/${project}/endpoints`, 'endpoints')).toEqual([endpoints[0]]);
    expect([await status('DELETE', path), await status('DELETE', path)]).toEqual([204, 404]);
    expect(await status('PUT', `projects/${project}/endpoints/none`)).toBe(404);
  });
});

describe('the catalog of a project', () => {
  it('is whole where the project was given nothing', async () => {
    const { types } = await catalogOf(await makeProject());
    expect(types).toEqual(expect.arrayContaining(['identity', 'compute', 'mail']));
  });

  it('has the endpoints that the project was given, and no service without one', async () => {
    const project = await makeProject();
    await status('PUT', `projects/${project}/endpoints/${endpoints[1] ?? ''}`);
    expect(await catalogOf(project)).toEqual({ types: ['mail'], endpoints: [endpoints[1]] });
    const group = await makeGroup({ service_id: service, interface: 'public' });
    await status('PUT', `endpoint_groups/${group}/projects/${project}`);
    const both = { types: ['mail'], endpoints: [...endpoints].sort() };
    expect(await catalogOf(project)).toEqual(both);
  });

  it('is whole again where a group has no endpoints', async () => {
    const project = await makeProject();
    const group = await makeGroup({ region_id: 'nowhere' });
    await status('PUT', `endpoint_groups/${group}/projects/${project}`);
    expect((await catalogOf(project)).types).toContain('identity');
  });
});
