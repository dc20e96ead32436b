/** Every list has pages that lead to each other, and filters by parts of attributes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { grant, loginAs, startGrantWorld, type GrantWorld } from './grants/grants.fixture.js';
import { signedIn } from './identity.fixture.js';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

let world: GrantWorld;
/** The id of the user `{admin}`. */
let adminId: string;

beforeAll(async () => {
  world = await startGrantWorld();
  const { dataSource } = world.identity.app;
  const [admin]: { id: string }[] = await dataSource.query(
    `SELECT id FROM users WHERE name = 'admin'`,
  );
  adminId = admin?.id ?? '';
  for (const sql of ROWS) await dataSource.query(sql.replaceAll('{admin}', adminId));
  for (const project of ['top', 'side', 'far'])
    await grant(world, `projects/${project}/users/alice/roles/member`);
  for (const type of ['cert', 'totp', 'Cert'])
    await post('credentials', { credential: { user_id: 'alice', type, blob: 'b' } });
});
afterAll(() => world.identity.stop());

const ROWS = [
  `INSERT INTO group_members (group_id, user_id) VALUES ('empty', 'alice')`,
  `INSERT INTO regions (id, parent_region_id)
   VALUES ('up', NULL), ('a_b', 'up'), ('axb', 'up'), ('50%', 'a_b'), ('500', 'axb')`,
  `INSERT INTO services (id, type, name)
   VALUES ('s1', 'mail', 'post'), ('s2', 'mail', 'Post'), ('s3', 'mail', 'post')`,
  `INSERT INTO endpoints (id, service_id, region_id, interface, url)
   VALUES ('e1', 's1', NULL, 'public', 'http://e'), ('e2', 's1', NULL, 'public', 'http://e'),
          ('e3', 's1', 'up', 'admin', 'http://e'), ('e4', 's1', 'up', 'internal', 'http://e'),
          ('e5', 's2', NULL, 'admin', 'http://e')`,
  `INSERT INTO registered_limits (id, service_id, region_id, resource_name, default_limit)
   VALUES ('r1', 's1', NULL, 'letters', 1), ('r2', 's1', 'up', 'letters', 1),
          ('r3', 's1', 'a_b', 'Letters', 1), ('r4', 's2', NULL, 'cards', 1)`,
  // One after another within a millisecond, and in another order than their ids.
  `INSERT INTO limits (id, registered_limit_id, project_id, resource_limit, created_at)
   SELECT id, limit_id, 'top', 1, '2026-01-31T12:00:00Z'::timestamptz + age * interval '300 microseconds'
     FROM (VALUES ('l1', 'r1', 3), ('l2', 'r2', 4), ('l3', 'r3', 1), ('l4', 'r4', 0))
       AS made (id, limit_id, age)`,
  `INSERT INTO limits (id, registered_limit_id, domain_id, resource_limit)
   VALUES ('l5', 'r1', 'acme', 1)`,
  `INSERT INTO trusts (id, trustor_user_id, trustee_user_id, impersonation)
   VALUES ('t3', 'alice', 'bob', true), ('t1', 'alice', 'bob', true), ('t2', 'bob', 'alice', true)`,
  `INSERT INTO application_credentials (id, user_id, project_id, name, secret_hash)
   SELECT id, '{admin}', 'top', name, 'h' FROM (VALUES ('a1', 'one'), ('a2', 'two'), ('a3', 'Onward'))
     AS made (id, name)`,
  `INSERT INTO access_rules (id, user_id, service, method, path)
   VALUES ('x1', '{admin}', 'mail', 'GET', '/v1'), ('x2', '{admin}', 'mail', 'PUT', '/v1'),
          ('x3', '{admin}', 'post', 'GET', '/V1/a')`,
];

function post(path: string, body: object): Promise<TestResponse> {
  return world.client.post(`/v3/${path}`, { token: world.admin, body });
}

function ask(path: string, token = world.admin): Promise<TestResponse> {
  return world.client.get(`/v3/${path.replace('{admin}', adminId)}`, { token });
}

async function read(path: string): Promise<Page> {
  const response = await ask(path);
  expect([path, response.status, response.text]).toEqual([path, 200, response.text]);
  const { links, truncated, ...members } = response.body as {
    links: { next: string | null };
    truncated?: boolean;
  };
  expect([path, truncated]).toEqual([path, links.next === null ? undefined : true]);
  return { rows: Object.values(members).flat() as unknown as Row[], next: links.next };
}

const LISTS: readonly (readonly [path: string, attributes: readonly string[]])[] = [
  ['users', ['name', 'domain_id']],
  ['groups', ['name', 'domain_id']],
  ['projects', ['name', 'domain_id', 'parent_id']],
  ['domains', ['name']],
  ['roles', ['name']],
  ['services', ['type', 'name']],
  ['regions', ['parent_region_id']],
  ['endpoints', ['interface', 'service_id', 'region_id']],
  ['credentials', ['user_id', 'type']],
  ['registered_limits', ['service_id', 'region_id', 'resource_name']],
  ['limits', ['service_id', 'region_id', 'resource_name', 'project_id', 'domain_id']],
  ['OS-TRUST/trusts', []],
  ['groups/devs/users', ['name', 'domain_id']],
  ['users/alice/groups', ['name']],
  ['users/alice/projects', ['name', 'domain_id']],
  ['users/{admin}/application_credentials', ['name']],
  ['users/{admin}/access_rules', ['service', 'method', 'path']],
];

describe.each(LISTS.map(([path]) => path))('the pages of /v3/%s', (path) => {
  it('hold all rows in the order of the whole', async () => {
    const { rows, next: none } = await read(path);
    expect(none).toBeNull();
    expect(rows.length).toBeGreaterThan(1);
    const ids: string[] = [];
    for (let at: string | null = `${path}?limit=1`; at !== null && ids.length <= rows.length;) {
      const page: Page = await read(at);
      ids.push(...page.rows.map(({ id }) => id));
      at = page.next?.replace(/^.*\/v3\//, '') ?? null;
    }
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  it('do not begin after an unknown row', async () => {
    const response = await ask(`${path}?marker=gone`);
    expect([response.status, response.text]).toEqual([404, expect.stringContaining('gone')]);
  });
});

const COMPARATORS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  contains: (text, part) => text.includes(part),
  startswith: (text, part) => text.startsWith(part),
  endswith: (text, part) => text.endsWith(part),
};

const FILTERS = LISTS.flatMap(([path, attributes]) =>
  attributes.flatMap((attribute) =>
    Object.keys(COMPARATORS).map((comparator) => [path, attribute, comparator] as const),
  ),
);

it.each(FILTERS)(
  '/v3/%s is filtered by %s__%s and its like',
  async (path, attribute, comparator) => {
    const { rows } = await read(path);
    const texts = rows.map((row) => row[attribute]);
    const matches = COMPARATORS[comparator] ?? (() => false);
    const whole = texts.find((text) => typeof text === 'string') as string;
    for (const part of [whole, whole.slice(1), whole.slice(0, -1), whole.slice(1, -1), '?', '']) {
      const asked = encodeURIComponent(part.toUpperCase());
      const exact = await read(`${path}?${attribute}__${comparator}=${encodeURIComponent(part)}`);
      const loose = await read(`${path}?${attribute}__i${comparator}=${asked}`);
      const found = (wanted: (text: string) => boolean): Row[] =>
        rows.filter((_, at) => typeof texts[at] === 'string' && wanted(texts[at]));
      expect(exact.rows).toEqual(found((text) => matches(text, part)));
      expect(loose.rows).toEqual(found((text) => matches(text.toLowerCase(), part.toLowerCase())));
    }
  },
);

describe('a filter by a part', () => {
  const ids = async (path: string): Promise<string[]> =>
    (await read(path)).rows.map(({ id }) => id);

  it('has no wildcards', async () => {
    expect(await ids('regions?parent_region_id__contains=_')).toEqual(['50%']);
    expect(await ids('regions?parent_region_id__startswith=%25')).toEqual([]);
    expect(await ids('regions?parent_region_id__endswith=%5C')).toEqual([]);
  });

  it('holds together with all others, and on every page', async () => {
    expect(await ids('services?type=mail&name__istartswith=P&name__endswith=ost')).toEqual(
      await ids('services?type=mail'),
    );
    const first = await read('services?name__icontains=POST&limit=2');
    expect(first.next).toContain('name__icontains=POST');
    expect(await ids(first.next?.replace(/^.*\/v3\//, '') ?? '')).toHaveLength(1);
  });

  it('finds domains by their names alone where they are listed as projects', async () => {
    expect(await ids('projects?is_domain=true&name__icontains=ACM')).toEqual(['acme']);
    expect(await ids('projects?is_domain=true&parent_id__contains=a')).toEqual([]);
  });

  it('is ignored for an unknown attribute or comparator', async () => {
    const all = await ids('roles');
    expect(await ids('roles?colour__contains=x&name__like=x')).toEqual(all);
  });
});

describe('the projects of a user', () => {
  it.each([
    ['name=side', ['side']],
    ['domain_id=globex', ['far']],
    ['domain_id=acme&name=far', []],
    ['enabled=false', []],
    ['enabled=True', ['far', 'side', 'top']],
  ])('are filtered by %s', async (query, expected) => {
    const { rows } = await read(`users/alice/projects?${query}`);
    expect(rows.map(({ id }) => id)).toEqual(expected);
  });
});

describe('a marker', () => {
  it.each([
    'users/alice/projects?marker=middle',
    'users/alice/groups?marker=crew',
    'users/{admin}/application_credentials?marker=top',
    'OS-TRUST/trusts?trustor_user_id=alice&marker=t2',
  ])('is none of another list: %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it('cannot be a row that the caller may not see', async () => {
    const fields = { user_id: 'bob', type: 'cert', blob: 'b' };
    const { body } = await post('credentials', { credential: fields });
    const { id } = (body as { credential: Row }).credential;
    const token = signedIn(await loginAs(world, 'alice', { project: { id: 'side' } }));
    for (const path of ['limits?marker=l1', `credentials?marker=${id}`])
      expect([path, (await ask(path, token)).status]).toEqual([path, 404]);
  });
});
