/** Projects below projects. The tree of acme is top > middle > leaf, and side. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  clearGrants,
  grant,
  type GrantWorld,
  makeProject,
  onDomain,
  sendProject,
  startGrantWorld,
  tokenFor,
} from '../grants/grants.fixture.js';
import { messageOf, resourceIn, type OnWire } from '../identity.fixture.js';

let world: GrantWorld;

beforeAll(async () => {
  world = await startGrantWorld();
});
beforeEach(() => clearGrants(world));
afterAll(() => world.identity.stop());

const create = (project: object, token?: string): Promise<TestResponse> =>
  sendProject(world, 'POST', '', { project, token });

const patch = (id: string, project: object): Promise<TestResponse> =>
  sendProject(world, 'PATCH', `/${id}`, { project });

/** A chain of new projects, each below the one before. */
async function chain(name: string, length: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < length; at += 1) {
    const parent_id = ids.at(-1) ?? 'acme';
    ids.push((await makeProject(world, { name: `${name} ${at}`, parent_id })).id);
  }
  return ids;
}

describe('a project below another', () => {
  it('is in the domain of its parent', async () => {
    const response = await create({ name: 'child', parent_id: 'leaf' });
    expect(resourceIn(response, 'project')).toMatchObject({ domain_id: 'acme', parent_id: 'leaf' });
    const { dataSource } = world.identity.app;
    expect(
      await dataSource.query(`SELECT ancestor_ids FROM projects WHERE name = 'child'`),
    ).toEqual([{ ancestor_ids: ['top', 'middle', 'leaf'] }]);
  });

  it('is at the top when its parent is the domain', async () => {
    const top = { domain_id: 'acme', parent_id: 'acme' };
    expect(resourceIn(await create({ name: 'one', ...top }), 'project')).toMatchObject(top);
    expect(resourceIn(await create({ name: 'two', parent_id: 'acme' }), 'project')).toMatchObject(
      top,
    );
  });

  it.each([
    ['is in another domain', { domain_id: 'globex', parent_id: 'top' }],
    ['is another domain', { domain_id: 'globex', parent_id: 'acme' }],
    ['is not there', { domain_id: 'globex', parent_id: 'nowhere' }],
  ])('is refused when its parent %s', async (_, place) => {
    const response = await create({ name: 'x', ...place });
    expect([response.status, messageOf(response)]).toEqual([
      400,
      `Invalid input: project.parent_id '${place.parent_id}' is neither the domain globex nor a project in it.`,
    ]);
  });

  it("stays in the domain of a domain's administrator", async () => {
    await grant(world, 'domains/acme/users/boss/roles/admin');
    const boss = await tokenFor(world, 'boss', onDomain('acme'));
    const far = await create({ name: 'x', parent_id: 'far' }, boss);
    const nowhere = await create({ name: 'x', parent_id: 'nowhere' }, boss);
    expect([far.status, nowhere.status]).toEqual([400, 400]);
    expect(messageOf(far)).toBe(messageOf(nowhere).replace('nowhere', 'far'));
    expect((await create({ name: 'x', parent_id: 'globex' }, boss)).status).toBe(400);
    expect((await create({ name: 'below side', parent_id: 'side' }, boss)).status).toBe(201);
  });

  it('is refused on a sixth level', async () => {
    const ids = await chain('deep', 5);
    const response = await create({ name: 'deeper', parent_id: ids[4] });
    expect(response.status).toBe(403);
    expect(messageOf(response)).toContain('at most 5 levels');
  });
});

describe('the place of a project', () => {
  it('is never below itself', async () => {
    const [upper, lower] = await chain('loop', 2);
    for (const parent_id of [upper, lower]) {
      const response = await patch(upper ?? '', { parent_id });
      expect([response.status, messageOf(response)]).toEqual([
        403,
        `Cannot change project.parent_id of ${upper}: projects cannot be moved.`,
      ]);
    }
  });

  it('may be repeated in a change', async () => {
    const [upper = '', lower = ''] = await chain('still', 2);
    expect((await patch(lower, { parent_id: upper, domain_id: 'acme' })).status).toBe(200);
    expect((await patch(upper, { parent_id: 'acme', is_domain: false })).status).toBe(200);
  });
});

describe('a tree', () => {
  it('is disabled from below and enabled from above', async () => {
    const [upper = '', lower = ''] = await chain('switch', 2);
    const early = await patch(upper, { enabled: false });
    expect([early.status, messageOf(early)]).toEqual([
      403,
      `Cannot disable the project ${upper}: there are enabled projects below it.`,
    ]);
    expect((await patch(lower, { enabled: false })).status).toBe(200);
    expect((await patch(upper, { enabled: false })).status).toBe(200);
    const late = await patch(lower, { enabled: true });
    expect([late.status, messageOf(late)]).toEqual([
      403,
      `Cannot enable the project ${lower}: its domain or a project above it is disabled.`,
    ]);
    expect((await patch(upper, { enabled: true })).status).toBe(200);
    expect((await patch(lower, { enabled: true })).status).toBe(200);
  });

  it('does not grow below a disabled project', async () => {
    const [only = ''] = await chain('barren', 1);
    await patch(only, { enabled: false });
    const response = await create({ name: 'x', parent_id: only });
    expect([response.status, messageOf(response)]).toEqual([
      400,
      `Invalid input: a project cannot be created below ${only}, which is disabled.`,
    ]);
  });

  it('is not enabled within a disabled domain', async () => {
    const { dataSource } = world.identity.app;
    await dataSource.query(
      `INSERT INTO domains (id, name, enabled) VALUES ('asleep', 'asleep', false)`,
    );
    await dataSource.query(
      `INSERT INTO projects (id, domain_id, name, enabled) VALUES ('dim', 'asleep', 'dim', false)`,
    );
    expect((await patch('dim', { enabled: true })).status).toBe(403);
  });

  it('is deleted from below', async () => {
    const [upper = '', lower = ''] = await chain('felled', 2);
    const response = await sendProject(world, 'DELETE', `/${upper}`);
    expect([response.status, messageOf(response)]).toEqual([
      403,
      `Cannot delete the project ${upper}: there are projects below it.`,
    ]);
    expect((await sendProject(world, 'DELETE', `/${lower}`)).status).toBe(204);
    expect((await sendProject(world, 'DELETE', `/${upper}`)).status).toBe(204);
  });
});

describe('what is above and below a project', () => {
  const show = async (path: string, token?: string): Promise<OnWire> =>
    resourceIn(await sendProject(world, 'GET', path, { token }), 'project');

  const listed = (branch: unknown): string[] =>
    (branch as { project: OnWire }[]).map(({ project }) => project.id);

  it('is left out unless it is asked for', async () => {
    const project = await show('/middle?subtree_as_list=0&parents_as_ids=false');
    expect(project).not.toHaveProperty('subtree');
    expect(project).not.toHaveProperty('parents');
  });

  it('is shown as nested ids, whoever has a role there', async () => {
    const [upper = '', middle = '', lower = ''] = await chain('shown', 3);
    const { parents, subtree } = await show(`/${middle}?parents_as_ids&subtree_as_ids`);
    expect(parents).toEqual({ [upper]: { acme: null } });
    expect(subtree).toEqual({ [lower]: null });
    expect(await show('/far?parents_as_ids&subtree_as_ids')).toMatchObject({
      parents: { globex: null },
      subtree: null,
    });
  });

  it('is listed as far as the caller has a role on it', async () => {
    const [first = '', second = '', third = '', fourth = ''] = await chain('mine', 4);
    await grant(world, `projects/${first}/users/boss/roles/reader`);
    await grant(world, `projects/${third}/users/boss/roles/reader`);
    await grant(world, 'domains/acme/users/boss/roles/admin');
    const boss = await tokenFor(world, 'boss', onDomain('acme'));
    const path = `/${second}?parents_as_list&subtree_as_list`;
    const { parents, subtree } = await show(path, boss);
    expect([listed(parents), listed(subtree)]).toEqual([[first], [third]]);
    expect(parents).toEqual([{ project: await show(`/${first}`) }]);
    await grant(world, 'OS-INHERIT/domains/acme/users/boss/roles/reader/inherited_to_projects');
    const all = await show(`/${third}?parents_as_list&subtree_as_list`, boss);
    expect([listed(all['parents']), listed(all['subtree'])]).toEqual([[second, first], [fourth]]);
    expect(listed((await show(path))['subtree'])).toEqual([]);
  });

  it('is listed with its limits where they are asked for', async () => {
    const [upper = '', middle = '', lower = ''] = await chain('limited', 3);
    for (const id of [upper, lower]) await grant(world, `projects/${id}/users/boss/roles/reader`);
    await grant(world, 'domains/acme/users/boss/roles/admin');
    const send = async (path: string, body: object): Promise<OnWire> => {
      const answer = await world.client.post(`/v3/${path}`, { token: world.admin, body });
      if (answer.status !== 201) throw new Error(answer.text);
      return (Object.values(answer.body as object)[0] as OnWire[])[0] ?? (answer.body as OnWire);
    };
    const service = await send('services', { service: { type: 'limited', name: 'limited' } });
    const service_id = (service['service'] as OnWire).id;
    const resource = { service_id, resource_name: 'things' };
    await send('registered_limits', { registered_limits: [{ ...resource, default_limit: 1 }] });
    const limit = await send('limits', {
      limits: [{ ...resource, project_id: lower, resource_limit: 7 }],
    });
    const boss = await tokenFor(world, 'boss', onDomain('acme'));
    const lists = `/${middle}?parents_as_list&subtree_as_list`;
    const { parents, subtree } = await show(`${lists}&include_limits`, boss);
    expect([parents, subtree]).toMatchObject([
      [{ project: { id: upper, limits: [] } }],
      [{ project: { id: lower, limits: [{ ...limit, resource_limit: 7 }] } }],
    ]);
    const without = await show(lists, boss);
    expect(JSON.stringify(without)).not.toContain('"limits":');
  });

  it.each(['parents', 'subtree'])('is not shown in both forms at once: %s', async (what) => {
    const response = await sendProject(world, 'GET', `/leaf?${what}_as_list&${what}_as_ids`);
    expect(response.status).toBe(400);
    expect(messageOf(response)).toContain(`${what}_as_list and ${what}_as_ids`);
  });

  it('begins with its domain', async () => {
    const { subtree, parents } = await show('/globex?subtree_as_ids&parents_as_ids');
    expect([subtree, parents]).toEqual([{ far: null }, null]);
    await grant(world, 'projects/far/users/gina/roles/admin');
    const gina = await tokenFor(world, 'gina', { project: { id: 'far' } });
    const lists = await show('/globex?subtree_as_list&parents_as_list', gina);
    expect([listed(lists['subtree']), listed(lists['parents'])]).toEqual([['far'], []]);
  });
});
