/**
 * What the end of a domain takes with it: disabled, and deleted. Each test has a domain of its own,
 * beside globex with its user gina and its project far.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  clearGrants,
  grant,
  imply,
  loginAs,
  makeRole,
  onDomain,
  onProject,
  startGrantWorld,
  statusOf,
  tokenFor,
  type GrantWorld,
} from '../grants/grants.fixture.js';

let world: GrantWorld;
let count = 0;
let home: Record<'id' | 'user' | 'group' | 'project' | 'below', string>;

beforeAll(async () => {
  world = await startGrantWorld();
});
afterAll(() => world.identity.stop());

beforeEach(async () => {
  await clearGrants(world);
  count += 1;
  const id = `home${count}`;
  home = { id, user: `${id}-u`, group: `${id}-g`, project: `${id}-p`, below: `${id}-b` };
  await query('INSERT INTO domains (id, name) VALUES ($1, $1)', id);
  await query('INSERT INTO groups (id, domain_id, name) VALUES ($2, $1, $2)', id, home.group);
  await query(
    `INSERT INTO projects (id, domain_id, name, parent_id, ancestor_ids)
     VALUES ($2, $1, $2, NULL, '{}'), ($3, $1, $3, $2, ARRAY[$2])`,
    id,
    home.project,
    home.below,
  );
  await query(
    `INSERT INTO users (id, domain_id, name, password_hash)
     SELECT $2, $1, $2, password_hash FROM users WHERE id = 'gina'`,
    id,
    home.user,
  );
});

const query = (sql: string, ...params: string[]): Promise<unknown[]> =>
  world.identity.app.dataSource.query(sql, params);

const patch = (id: string, domain: object, token = world.admin): Promise<TestResponse> =>
  world.client.patch(`/v3/domains/${id}`, { token, body: { domain } });

const change = async (domain: object): Promise<number> => (await patch(home.id, domain)).status;

const disable = (): Promise<number> => change({ enabled: false });

const remove = (id = home.id, token = world.admin): Promise<TestResponse> =>
  world.client.delete(`/v3/domains/${id}`, { token });

const messageOf = ({ body }: TestResponse): string =>
  (body as { error: { message: string } }).error.message;

describe('a domain that is disabled', () => {
  it('revokes the tokens of its users, its projects and itself', async () => {
    await grant(world, `projects/far/users/${home.user}/roles/member`);
    await grant(world, `projects/${home.project}/users/gina/roles/member`);
    await grant(world, `domains/${home.id}/users/gina/roles/reader`);
    await grant(world, 'projects/far/users/gina/roles/member');
    const tokens = [
      await tokenFor(world, home.user, onProject('far')),
      await tokenFor(world, 'gina', onProject(home.project)),
      await tokenFor(world, 'gina', onDomain(home.id)),
    ];
    const other = await tokenFor(world, 'gina', onProject('far'));
    expect(await disable()).toBe(200);
    for (const token of tokens) expect(await statusOf(world, token)).toBe(401);
    expect(await statusOf(world, other)).toBe(200);
  });

  it('admits nobody, and revoked tokens stay revoked when it is enabled', async () => {
    await grant(world, `projects/${home.project}/users/${home.user}/roles/member`);
    await grant(world, `projects/${home.project}/users/gina/roles/member`);
    const before = await tokenFor(world, home.user, onProject(home.project));
    await disable();
    for (const user of [home.user, 'gina'])
      expect((await loginAs(world, user, onProject(home.project))).status).toBe(401);
    expect(await change({ enabled: true })).toBe(200);
    expect(await statusOf(world, before)).toBe(401);
    expect((await loginAs(world, home.user, onProject(home.project))).status).toBe(201);
  });

  it('revokes the tokens of trusts with one of its users', async () => {
    await query(
      `INSERT INTO trusts (id, trustor_user_id, trustee_user_id, impersonation, redelegated_trust_id)
       VALUES ('first', $1, 'gina', false, NULL), ('second', 'gina', 'gina', false, 'first'),
              ('other', 'gina', 'gina', false, NULL)`,
      home.user,
    );
    await disable();
    expect(
      await query('SELECT trust_id FROM revocations WHERE trust_id IS NOT NULL ORDER BY trust_id'),
    ).toEqual([{ trust_id: 'first' }, { trust_id: 'second' }]);
  });
});

describe.each([
  ['delete', remove],
  ['disable', (id?: string, token?: string) => patch(id ?? home.id, { enabled: false }, token)],
])('to %s a domain', (what, ask) => {
  it('is refused for the default domain', async () => {
    const response = await ask('default');
    expect([response.status, messageOf(response)]).toEqual([
      403,
      `Cannot ${what} the domain default: it is the default domain.`,
    ]);
    expect(await statusOf(world, world.admin)).toBe(200);
  });

  it("is refused for that of the caller's own project", async () => {
    await grant(world, `projects/${home.project}/users/gina/roles/admin`);
    const gina = await tokenFor(world, 'gina', onProject(home.project));
    const response = await ask(home.id, gina);
    expect([response.status, messageOf(response)]).toEqual([
      409,
      `Cannot ${what} the domain ${home.id}: the token of this request is scoped to it, or to a project in it.`,
    ]);
    expect(await statusOf(world, gina)).toBe(200);
  });
});

describe('a domain that is deleted', () => {
  it('has been disabled before', async () => {
    const response = await remove();
    expect(response.status).toBe(403);
    expect(messageOf(response)).toBe(
      `Cannot delete the domain ${home.id} while it is enabled. Disable it first.`,
    );
  });

  it('is deleted with all that it owns', async () => {
    await makeRole(world, 'gardener', home.id);
    await imply(world, 'gardener', 'member');
    await grant(world, `projects/${home.below}/users/${home.user}/roles/gardener`);
    await grant(world, `domains/${home.id}/groups/${home.group}/roles/gardener`);
    await grant(
      world,
      `OS-INHERIT/projects/${home.project}/users/gina/roles/reader/inherited_to_projects`,
    );
    await disable();
    expect((await remove()).status).toBe(204);
    const after = await world.client.get(`/v3/domains/${home.id}`, { token: world.admin });
    expect(after.status).toBe(404);
    for (const table of ['projects', 'users', 'groups', 'roles'])
      expect([table, await query(`SELECT id FROM ${table} WHERE domain_id = $1`, home.id)]).toEqual(
        [table, []],
      );
    expect(await query(`SELECT id FROM role_assignments WHERE user_id = 'gina'`)).toEqual([]);
  });

  it('revokes the tokens of users of other domains in its groups', async () => {
    await query(`INSERT INTO group_members VALUES ($1, 'gina')`, home.group);
    await grant(world, `projects/far/groups/${home.group}/roles/member`);
    await disable();
    const gina = await tokenFor(world, 'gina', onProject('far'));
    expect((await remove()).status).toBe(204);
    expect(await statusOf(world, gina)).toBe(401);
    expect((await loginAs(world, 'gina', onProject('far'))).status).toBe(401);
  });

  it.each([
    ['project', `UPDATE projects SET options = '{"immutable": true}' WHERE domain_id = $1`],
    [
      'role',
      `INSERT INTO roles (id, domain_id, name, options)
       VALUES ('warden', $1, 'warden', '{"immutable": true}')`,
    ],
  ])('holds no immutable %s', async (kind, sql) => {
    await query(sql, home.id);
    await disable();
    const response = await remove();
    expect(response.status).toBe(403);
    expect(messageOf(response)).toContain(`the ${kind} `);
    expect(await query('SELECT id FROM domains WHERE id = $1', home.id)).toHaveLength(1);
  });
});
