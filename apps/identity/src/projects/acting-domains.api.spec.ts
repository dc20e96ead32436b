/** Projects that act as domains. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  grant,
  type GrantWorld,
  onDomain,
  sendProject,
  startGrantWorld,
  statusOf,
  tokenFor,
} from '../grants/grants.fixture.js';
import { messageOf, resourceIn, type OnWire } from '../identity.fixture.js';

let world: GrantWorld;
/** An administrator of the domain acme. */
let boss: string;

beforeAll(async () => {
  world = await startGrantWorld();
  await grant(world, 'domains/acme/users/boss/roles/admin');
  boss = await tokenFor(world, 'boss', onDomain('acme'));
});
afterAll(() => world.identity.stop());

const create = (project: object, token?: string): Promise<TestResponse> =>
  sendProject(world, 'POST', '', { project: { is_domain: true, ...project }, token });

async function made(project: object): Promise<OnWire> {
  const response = await create(project);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return resourceIn(response, 'project');
}

const patch = (id: string, project: object, token?: string): Promise<TestResponse> =>
  sendProject(world, 'PATCH', `/${id}`, { project, token });

const remove = (id: string, token?: string): Promise<TestResponse> =>
  sendProject(world, 'DELETE', `/${id}`, { token });

const get = (path: string): Promise<TestResponse> =>
  world.client.get(`/v3/${path}`, { token: world.admin });

describe('a project that acts as a domain', () => {
  it('is a domain, and is shown as one and as a project', async () => {
    const given = { name: 'Both', description: 'A tree.', tags: ['a'], enabled: true };
    const project = await made({ ...given, domain_id: null });
    const { id } = project;
    expect(project).toEqual({
      ...given,
      id,
      domain_id: null,
      parent_id: null,
      is_domain: true,
      options: {},
      links: { self: `${world.client.baseUrl}/v3/projects/${id}` },
    });
    expect((await get(`projects/${id}`)).body).toEqual({ project });
    expect((await get(`domains/${id}`)).body).toMatchObject({ domain: { id, ...given } });
    const listed = await get('projects?is_domain=true');
    expect((listed.body as { projects: unknown[] }).projects).toContainEqual(project);
  });

  it('owns projects', async () => {
    const { id } = await made({ name: 'Owner' });
    const project = { name: 'below', parent_id: id };
    const response = await sendProject(world, 'POST', '', { project });
    expect(resourceIn(response, 'project')).toMatchObject({ domain_id: id, is_domain: false });
  });

  it('is a scope of tokens and of assignments, which are listed with its name', async () => {
    const { id } = await made({ name: 'Scope' });
    expect(await grant(world, `domains/${id}/users/alice/roles/reader`)).toBe(204);
    expect(await statusOf(world, await tokenFor(world, 'alice', onDomain(id)))).toBe(200);
    const { body } = await get(`role_assignments?include_names&scope.domain.id=${id}`);
    expect(body).toMatchObject({
      role_assignments: [{ scope: { domain: { id, name: 'Scope' } }, user: { name: 'alice' } }],
    });
  });

  it('is changed as a project, and accepts what a client has read', async () => {
    const project = await made({ name: 'Changed' });
    expect((await patch(project.id, project)).body).toEqual({ project });
    const change = { name: 'Renamed', description: 'New.' };
    expect((await patch(project.id, change)).body).toEqual({ project: { ...project, ...change } });
    expect((await get(`domains/${project.id}`)).body).toMatchObject({ domain: change });
  });

  it('is deleted as a project once it is disabled, with its tokens', async () => {
    const { id } = await made({ name: 'Gone' });
    await grant(world, `domains/${id}/users/alice/roles/reader`);
    const token = await tokenFor(world, 'alice', onDomain(id));
    expect((await remove(id)).status).toBe(403);
    expect((await patch(id, { enabled: false })).body).toMatchObject({
      project: { id, enabled: false },
    });
    expect(await statusOf(world, token)).toBe(401);
    expect((await remove(id)).status).toBe(204);
    expect((await get(`domains/${id}`)).status).toBe(404);
    expect((await get(`projects/${id}`)).status).toBe(404);
  });

  it.each<[string, number, object, string]>([
    [
      'the name of a domain',
      409,
      { name: 'Acme' },
      "A domain with the name 'Acme' exists already.",
    ],
    [
      'a domain above it',
      400,
      { name: 'x', domain_id: 'acme' },
      "Invalid input: a project that acts as a domain is at the root of its tree: project.domain_id cannot be 'acme'.",
    ],
    [
      'a project above it',
      400,
      { name: 'x', parent_id: 'top' },
      "Invalid input: a project that acts as a domain is at the root of its tree: project.parent_id cannot be 'top'.",
    ],
    [
      'a property of its own',
      400,
      { name: 'x', colour: 'blue' },
      'Invalid input: project.colour is not a property of domains.',
    ],
  ])('is refused with %s', async (_, status, project, message) => {
    const response = await create(project);
    expect([response.status, messageOf(response)]).toEqual([status, message]);
    expect((await get('domains?name=x')).body).toMatchObject({ domains: [] });
  });

  it.each([{ is_domain: false }, { domain_id: 'globex' }, { parent_id: 'top' }])(
    'stays one: %j',
    async (change) => {
      const response = await patch('globex', change);
      const [property = ''] = Object.keys(change);
      expect([response.status, messageOf(response)]).toEqual([
        400,
        `Invalid input: project.${property} cannot be changed once it is set.`,
      ]);
    },
  );

  it('cannot be created, changed or deleted by the administrator of a domain, not even its own', async () => {
    expect((await create({ name: 'x' }, boss)).status).toBe(403);
    expect((await patch('acme', { name: 'x' }, boss)).status).toBe(403);
    expect((await remove('acme', boss)).status).toBe(403);
    expect((await get('domains/acme')).body).toMatchObject({ domain: { name: 'Acme' } });
  });
});
