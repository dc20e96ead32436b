import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  clearGrants,
  grant,
  imply,
  makeRole,
  onDomain,
  onProject,
  onSystem,
  startGrantWorld,
  tokenFor,
  type GrantWorld,
} from '../grants/grants.fixture.js';

let world: GrantWorld;

beforeAll(async () => {
  world = await startGrantWorld();
  await makeRole(world, 'boss');
  await makeRole(world, 'hand');
  await makeRole(world, 'finger');
  await makeRole(world, 'acme-role', 'acme');
  await imply(world, 'boss', 'hand');
  await imply(world, 'hand', 'finger');
  await imply(world, 'acme-role', 'finger');
});
afterEach(() => clearGrants(world));
afterAll(() => world.identity.stop());

interface Ref {
  readonly id: string;
  readonly name?: string;
}

interface Shown {
  readonly role: Ref;
  readonly user?: Ref;
  readonly group?: Ref;
  readonly scope: {
    readonly project?: Ref;
    readonly domain?: Ref;
    readonly system?: object;
    readonly 'OS-INHERIT:inherited_to'?: string;
  };
  readonly links: Readonly<Record<string, string>>;
}

async function list(query: string, token = world.admin): Promise<Shown[]> {
  const response = await world.client.get(`/v3/role_assignments?${query}`, { token });
  expect([query, response.status]).toEqual([query, 200]);
  return (response.body as { role_assignments: Shown[] }).role_assignments;
}

/** Each as `role actor target`, in a fixed order; an inherited one ends with an asterisk. */
async function summary(query: string, token?: string): Promise<string[]> {
  const assignments = await list(query, token);
  const lines = assignments.map(({ role, user, group, scope }) => {
    const target = scope.project?.id ?? scope.domain?.id ?? 'system';
    const mark = scope['OS-INHERIT:inherited_to'] === 'projects' ? '*' : '';
    return `${nameOf(role.id)} ${user?.id ?? group?.id ?? ''} ${target}${mark}`;
  });
  return lines.sort();
}

function nameOf(roleId: string): string {
  const found = Object.entries(world.roles).find(([, id]) => id === roleId);
  return found?.[0] ?? roleId;
}

/** The assignments of the users and groups of the world, without those of the bootstrap. */
const ours = (lines: readonly string[]): string[] =>
  lines.filter((line) => /^\S+ (alice|bob|gina|boss|devs|crew|empty) /.test(line));

const url = (path: string): string => `${world.client.baseUrl}/v3/${path}`;

describe('GET /v3/role_assignments', () => {
  it('lists what was granted, as it was granted', async () => {
    await grant(world, 'projects/top/users/alice/roles/hand');
    await grant(world, 'domains/acme/groups/devs/roles/hand');
    await grant(world, 'OS-INHERIT/projects/top/groups/devs/roles/boss/inherited_to_projects');
    await grant(world, 'system/users/bob/roles/finger');
    expect(ours(await summary(''))).toEqual([
      'boss devs top*',
      'finger bob system',
      'hand alice top',
      'hand devs acme',
    ]);
  });

  it('answers with links, and with those that every cloud has', async () => {
    const response = await world.client.get('/v3/role_assignments', { token: world.admin });
    expect(response.body).toMatchObject({
      links: { next: null, self: url('role_assignments'), previous: null },
    });
    expect(await summary('scope.system=all')).toHaveLength(1);
  });

  it('shows ids, and where the grant itself is found', async () => {
    await grant(world, 'OS-INHERIT/domains/acme/groups/devs/roles/hand/inherited_to_projects');
    await grant(world, 'system/users/bob/roles/finger');
    expect(await list('group.id=devs')).toEqual([
      {
        role: { id: 'hand' },
        group: { id: 'devs' },
        scope: { domain: { id: 'acme' }, 'OS-INHERIT:inherited_to': 'projects' },
        links: {
          assignment: url('OS-INHERIT/domains/acme/groups/devs/roles/hand/inherited_to_projects'),
        },
      },
    ]);
    expect(await list('user.id=bob')).toEqual([
      {
        role: { id: 'finger' },
        user: { id: 'bob' },
        scope: { system: { all: true } },
        links: { assignment: url('system/users/bob/roles/finger') },
      },
    ]);
  });

  it('shows names with include_names', async () => {
    await grant(world, 'projects/top/users/gina/roles/acme-role');
    await grant(world, 'domains/acme/groups/devs/roles/hand');
    const acme = { id: 'acme', name: 'Acme' };
    expect(await list('user.id=gina&include_names=True')).toMatchObject([
      {
        role: { id: 'acme-role', name: 'acme-role', domain: acme },
        user: { id: 'gina', name: 'gina', domain: { id: 'globex', name: 'Globex' } },
        scope: { project: { id: 'top', name: 'top', domain: acme } },
      },
    ]);
    const [shown] = await list('group.id=devs&include_names');
    expect(shown).toMatchObject({
      role: { id: 'hand', name: 'hand' },
      group: { id: 'devs', name: 'devs', domain: acme },
    });
    expect(shown?.role).not.toHaveProperty('domain');
    expect(shown?.scope).toEqual({ domain: acme });
  });
});

describe('a filter', () => {
  const granted = [
    'projects/top/users/alice/roles/hand',
    'projects/leaf/users/bob/roles/hand',
    'domains/acme/users/alice/roles/finger',
    'domains/acme/groups/devs/roles/hand',
    'OS-INHERIT/domains/acme/users/alice/roles/finger/inherited_to_projects',
    'system/users/alice/roles/hand',
    'projects/far/users/gina/roles/hand',
  ];

  it.each([
    [
      'user.id=alice',
      ['finger alice acme', 'finger alice acme*', 'hand alice system', 'hand alice top'],
    ],
    ['group.id=devs', ['hand devs acme']],
    ['role.id=finger', ['finger alice acme', 'finger alice acme*']],
    ['scope.project.id=top', ['hand alice top']],
    ['scope.project.id=top&include_subtree=true', ['hand alice top', 'hand bob leaf']],
    ['scope.project.id=nothing', []],
    ['scope.domain.id=acme', ['finger alice acme', 'finger alice acme*', 'hand devs acme']],
    ['scope.system=all&user.id=alice', ['hand alice system']],
    ['scope.OS-INHERIT:inherited_to=projects', ['finger alice acme*']],
    ['role.id=hand&user.id=alice&scope.project.id=top', ['hand alice top']],
  ])('%s', async (query, expected) => {
    for (const path of granted) await grant(world, path);
    expect(await summary(query)).toEqual(expected);
  });

  it('is off if its value is false', async () => {
    await grant(world, 'projects/top/groups/devs/roles/hand');
    expect(await summary('group.id=devs&effective=0&include_names=false')).toEqual([
      'hand devs top',
    ]);
  });

  it.each([
    ['scope.project.id=top&scope.domain.id=acme', 'scope.project.id and scope.domain.id'],
    ['scope.project.id=top&scope.system=all', 'scope.project.id and scope.system'],
    ['scope.domain.id=acme&scope.system=all', 'scope.domain.id and scope.system'],
    ['user.id=alice&group.id=devs', 'user.id and group.id'],
    ['effective&group.id=devs', 'effective and group.id'],
    [
      'effective&scope.domain.id=acme&scope.OS-INHERIT:inherited_to=projects',
      'effective and scope.domain.id and scope.OS-INHERIT:inherited_to',
    ],
    ['include_subtree', 'scope.project.id must be specified'],
    ['scope.system=some', 'scope.system must be one of all'],
    [
      'scope.OS-INHERIT:inherited_to=users',
      'scope.OS-INHERIT:inherited_to must be one of projects',
    ],
    ['effective=perhaps', 'effective must be a boolean value'],
  ])('is refused by name: %s', async (query, words) => {
    const response = await world.client.get(`/v3/role_assignments?${query}`, {
      token: world.admin,
    });
    expect(response.status).toBe(400);
    expect(response.text).toContain(words);
  });
});

describe('effective assignments', () => {
  it('are those of the members of a group, with the membership', async () => {
    await grant(world, 'projects/top/groups/devs/roles/finger');
    await grant(world, 'projects/top/groups/empty/roles/finger');
    const assignments = await list('effective=True&scope.project.id=top');
    expect(assignments).toEqual(
      ['alice', 'bob'].map((user) => ({
        role: { id: 'finger' },
        user: { id: user },
        scope: { project: { id: 'top' } },
        links: {
          assignment: url('projects/top/groups/devs/roles/finger'),
          membership: url(`groups/devs/users/${user}`),
        },
      })),
    );
  });

  it('are on the projects that inherit, with the grant above them', async () => {
    await grant(world, 'OS-INHERIT/projects/top/users/alice/roles/finger/inherited_to_projects');
    await grant(world, 'OS-INHERIT/domains/acme/users/bob/roles/finger/inherited_to_projects');
    expect(ours(await summary('effective'))).toEqual([
      'finger alice leaf*',
      'finger alice middle*',
      'finger bob leaf*',
      'finger bob middle*',
      'finger bob side*',
      'finger bob top*',
    ]);
    expect(await list('effective&scope.project.id=middle&user.id=alice')).toEqual([
      {
        role: { id: 'finger' },
        user: { id: 'alice' },
        scope: { project: { id: 'middle' }, 'OS-INHERIT:inherited_to': 'projects' },
        links: {
          assignment: url('OS-INHERIT/projects/top/users/alice/roles/finger/inherited_to_projects'),
        },
      },
    ]);
  });

  it('include implied roles, with the role that implies them', async () => {
    await grant(world, 'projects/top/users/alice/roles/boss');
    const assignment = url('projects/top/users/alice/roles/boss');
    const links = Object.fromEntries(
      (await list('effective&user.id=alice')).map((one) => [one.role.id, one.links]),
    );
    expect(links).toEqual({
      boss: { assignment },
      hand: { assignment, prior_role: url('roles/boss/implies/hand') },
      finger: { assignment, prior_role: url('roles/hand/implies/finger') },
    });
  });

  it('include only what a role of a domain implies', async () => {
    await grant(world, 'projects/top/users/alice/roles/acme-role');
    expect(await summary('effective&user.id=alice')).toEqual(['finger alice top']);
  });

  it('are expanded on the system and on domains as well', async () => {
    await grant(world, 'system/groups/devs/roles/hand');
    await grant(world, 'domains/acme/users/alice/roles/finger');
    await grant(world, 'OS-INHERIT/domains/acme/users/alice/roles/boss/inherited_to_projects');
    expect(ours(await summary('effective&scope.system=all'))).toEqual([
      'finger alice system',
      'finger bob system',
      'hand alice system',
      'hand bob system',
    ]);
    expect(await summary('effective&scope.domain.id=acme')).toEqual(['finger alice acme']);
  });

  it('are filtered after they are expanded', async () => {
    await grant(world, 'projects/top/groups/devs/roles/boss');
    await grant(world, 'OS-INHERIT/projects/top/users/alice/roles/hand/inherited_to_projects');
    expect(await summary('effective&role.id=finger&scope.project.id=top')).toEqual([
      'finger alice top',
      'finger bob top',
    ]);
    expect(await summary('effective&role.id=hand&user.id=alice')).toEqual([
      'hand alice leaf*',
      'hand alice middle*',
      'hand alice top',
    ]);
    expect(await summary('effective&scope.OS-INHERIT:inherited_to=projects&role.id=hand')).toEqual([
      'hand alice leaf*',
      'hand alice middle*',
    ]);
    expect(await summary('effective&scope.project.id=middle&include_subtree&role.id=hand')).toEqual(
      ['hand alice leaf*', 'hand alice middle*'],
    );
  });

  it('are listed once for each way to them', async () => {
    await grant(world, 'projects/top/users/alice/roles/finger');
    await grant(world, 'projects/top/groups/devs/roles/finger');
    expect(await summary('effective&user.id=alice')).toEqual([
      'finger alice top',
      'finger alice top',
    ]);
  });

  it('show names too', async () => {
    await grant(world, 'projects/top/groups/devs/roles/finger');
    expect(await list('effective&include_names&user.id=bob')).toMatchObject([
      { role: { name: 'finger' }, user: { name: 'bob' }, scope: { project: { name: 'top' } } },
    ]);
  });
});

describe('who sees what', () => {
  const refused = async (query: string, token: string): Promise<number> =>
    (await world.client.get(`/v3/role_assignments?${query}`, { token })).status;

  it('is everything for a reader of the system', async () => {
    await grant(world, 'system/users/bob/roles/reader');
    const token = await tokenFor(world, 'bob', onSystem);
    expect(await summary('', token)).toEqual(await summary(''));
  });

  it('is its domain and the projects of it for a reader of a domain', async () => {
    await grant(world, 'domains/acme/users/bob/roles/reader');
    await grant(world, 'projects/leaf/users/gina/roles/hand');
    await grant(world, 'projects/far/users/alice/roles/hand');
    await grant(world, 'domains/globex/users/alice/roles/hand');
    await grant(world, 'system/users/alice/roles/hand');
    const token = await tokenFor(world, 'bob', onDomain('acme'));
    expect(await summary('', token)).toEqual(['hand gina leaf', 'reader bob acme']);
    expect(await summary('effective', token)).toEqual([
      'finger gina leaf',
      'hand gina leaf',
      'reader bob acme',
    ]);
    expect(await summary('scope.domain.id=globex', token)).toEqual([]);
    expect(await summary('scope.project.id=top&include_subtree', token)).toEqual([
      'hand gina leaf',
    ]);
    expect(await refused('scope.project.id=far&include_subtree', token)).toBe(403);
    expect(await refused('scope.project.id=nothing&include_subtree', token)).toBe(403);
  });

  it('is nothing for a member of a project', async () => {
    await grant(world, 'projects/top/users/alice/roles/member');
    const token = await tokenFor(world, 'alice', onProject('top'));
    expect(await refused('', token)).toBe(403);
    expect(await refused('scope.project.id=top&include_subtree', token)).toBe(403);
  });

  it('is a 404 for the tree of an unknown project', async () => {
    const response = await world.client.get(
      '/v3/role_assignments?scope.project.id=nothing&include_subtree',
      { token: world.admin },
    );
    expect(response.status).toBe(404);
    expect(response.text).toContain('Could not find project: nothing.');
  });
});
