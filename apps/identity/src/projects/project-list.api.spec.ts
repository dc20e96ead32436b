/** Lists of projects: acme has leaf, middle, side and top, globex has far. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  grant,
  type GrantWorld,
  onDomain,
  onProject,
  projectNames,
  sendProject,
  startGrantWorld,
  tokenFor,
} from '../grants/grants.fixture.js';
import { type OnWire } from '../identity.fixture.js';

let world: GrantWorld;
let reader: string;

beforeAll(async () => {
  world = await startGrantWorld();
  await world.identity.app.dataSource.query(
    `UPDATE projects SET enabled = false WHERE id = 'leaf'`,
  );
  await world.identity.app.dataSource.query(
    `UPDATE projects SET tags = t.tags::text[]
       FROM (VALUES ('top', '{red,blue}'), ('middle', '{red}'), ('leaf', '{Red}')) AS t (id, tags)
      WHERE t.id = projects.id`,
  );
  await grant(world, 'domains/acme/users/alice/roles/reader');
  reader = await tokenFor(world, 'alice', onDomain('acme'));
});
afterAll(() => world.identity.stop());

const names = (query: string, token?: string): Promise<string[]> =>
  projectNames(world, `projects${query}`, token);

const statusOf = async (query: string, token?: string): Promise<number> =>
  (await sendProject(world, 'GET', query, { token })).status;

interface Page {
  readonly projects: OnWire[];
  readonly links: Readonly<Record<'next' | 'self' | 'previous', string | null>>;
  readonly truncated?: boolean;
}

const page = async (query: string): Promise<Page> =>
  (await sendProject(world, 'GET', query)).body as Page;

describe('projects', () => {
  it.each([
    ['?name=demo', ['demo']],
    ['?name=Demo', []],
    ['?domain_id=acme', ['leaf', 'middle', 'side', 'top']],
    ['?domain_id=nowhere', []],
    ['?parent_id=acme', ['side', 'top']],
    ['?parent_id=top', ['middle']],
    ['?enabled=false', ['leaf']],
    ['?enabled=True&domain_id=acme', ['middle', 'side', 'top']],
    ['?is_domain=false&domain_id=globex', ['far']],
    ['?name=far&domain_id=acme', []],
    ['?colour=blue&domain_id=globex', ['far']],
  ])('are those of %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ['tags=red', ['middle', 'top']],
    ['tags=red,blue', ['top']],
    ['tags-any=blue,Red', ['leaf', 'top']],
    ['not-tags=red,blue', ['leaf', 'middle', 'side']],
    ['not-tags-any=red,blue', ['leaf', 'side']],
    ['tags=red&not-tags-any=blue', ['middle']],
    ['tags-any=red,Red&not-tags=red,blue', ['leaf', 'middle']],
    ['tags=red&not-tags=red', []],
    ['tags=', []],
  ])('have the tags of ?%s', async (query, expected) => {
    expect(await names(`?domain_id=acme&${query}`)).toEqual(expected);
  });

  it.each(['?enabled=perhaps', '?limit=0', '?limit=few', '?tags=a&tags=b', '?name='])(
    'are not listed for %s',
    async (query) => {
      expect(await statusOf(query)).toBe(400);
    },
  );

  it('are shown in a list as they are alone', async () => {
    const { projects } = await page('?name=top');
    expect(projects).toEqual([
      ((await sendProject(world, 'GET', '/top')).body as { project: OnWire }).project,
    ]);
  });

  it('are those of its own domain for a reader of a domain', async () => {
    expect(await names('', reader)).toEqual(['leaf', 'middle', 'side', 'top']);
    expect(await names('?domain_id=globex', reader)).toEqual([]);
    expect(await statusOf('?marker=far', reader)).toBe(404);
  });

  it('are not listed for the user of a project', async () => {
    await grant(world, 'projects/side/users/bob/roles/member');
    expect(await statusOf('', await tokenFor(world, 'bob', onProject('side')))).toBe(403);
  });
});

describe('pages of projects', () => {
  it('follow each other to the end', async () => {
    const { baseUrl } = world.client;
    const first = await page('?domain_id=acme&limit=3');
    expect(first.projects.map(({ name }) => name)).toEqual(['leaf', 'middle', 'side']);
    expect(first.truncated).toBe(true);
    expect(first.links).toEqual({
      next: `${baseUrl}/v3/projects?domain_id=acme&limit=3&marker=side`,
      self: `${baseUrl}/v3/projects?domain_id=acme&limit=3`,
      previous: null,
    });
    const last = await page('?domain_id=acme&limit=3&marker=side');
    expect(last.projects.map(({ name }) => name)).toEqual(['top']);
    expect(last.links.next).toBeNull();
    expect(last).not.toHaveProperty('truncated');
  });

  it('have no next one when they hold all', async () => {
    expect((await page('?domain_id=acme&limit=4')).links.next).toBeNull();
  });

  it('do not begin after an unknown project', async () => {
    expect(await statusOf('?marker=nowhere')).toBe(404);
  });
});

describe('domains as projects', () => {
  it('are listed in place of projects', async () => {
    expect(await names('?is_domain=true')).toEqual(['Acme', 'Default', 'Globex', 'stack-users']);
    expect(await names('?is_domain')).toEqual(['Acme', 'Default', 'Globex', 'stack-users']);
    expect(await names('?is_domain=1&name=Acme')).toEqual(['Acme']);
    expect(await names('?is_domain=1&enabled=false')).toEqual([]);
    expect(await names('?is_domain=1&tags-any=red')).toEqual([]);
  });

  it('are in no domain and below nothing', async () => {
    expect(await names('?is_domain=1&domain_id=acme')).toEqual([]);
    expect(await names('?is_domain=1&parent_id=acme')).toEqual([]);
    expect(await names('?is_domain=1', reader)).toEqual([]);
  });

  it('come in pages', async () => {
    const first = await page('?is_domain=1&limit=1');
    expect(first.links.next).toContain('marker=acme');
    expect(await names('?is_domain=1&limit=1&marker=acme')).toEqual(['Default']);
  });

  it('are shown in the shape of projects', async () => {
    const project = {
      id: 'acme',
      name: 'Acme',
      domain_id: null,
      parent_id: null,
      is_domain: true,
      description: '',
      enabled: true,
      tags: [],
      options: {},
      links: { self: `${world.client.baseUrl}/v3/projects/acme` },
    };
    expect((await sendProject(world, 'GET', '/acme')).body).toEqual({ project });
    expect((await page('?is_domain=1&name=Acme')).projects).toEqual([project]);
    expect(await statusOf('/acme', reader)).toBe(403);
  });
});
