/** The roles of a user on a target, by everything that can give one. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { newId } from '../database/new-id.js';
import { scopes, type Scope } from './scope.repository.js';
import { identityService } from '../service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

beforeAll(async () => {
  database = await createTestDatabase(identityService);
  dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  ctx = RequestContext.system('req', dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Domains d and e; the projects top > middle > leaf in d; user u in group g; roles by their names. */
beforeEach(async () => {
  await dataSource.query(`INSERT INTO domains (id, name) VALUES ('d', 'D'), ('e', 'E')`);
  await dataSource.query(
    `INSERT INTO projects (id, domain_id, parent_id, name, ancestor_ids) VALUES
       ('top', 'd', NULL, 'top', '{}'), ('middle', 'd', 'top', 'middle', '{top}'),
       ('leaf', 'd', 'middle', 'leaf', '{top,middle}'), ('other', 'e', NULL, 'other', '{}')`,
  );
  await dataSource.query(`INSERT INTO users (id, domain_id, name) VALUES ('u', 'd', 'u')`);
  await dataSource.query(`INSERT INTO groups (id, domain_id, name) VALUES ('g', 'd', 'g')`);
  await dataSource.query(`INSERT INTO group_members (group_id, user_id) VALUES ('g', 'u')`);
  await dataSource.query(
    `INSERT INTO roles (id, name, domain_id) VALUES
       ('admin', 'admin', NULL), ('member', 'member', NULL), ('reader', 'reader', NULL),
       ('house', 'house', 'd')`,
  );
});
afterEach(() =>
  dataSource.query('TRUNCATE domains, roles, projects, users, groups, role_assignments CASCADE'),
);

interface Given {
  readonly role: string;
  readonly user?: string;
  readonly group?: string;
  readonly project?: string;
  readonly domain?: string;
  readonly system?: boolean;
  readonly inherited?: boolean;
}

async function give({
  role,
  user,
  group,
  project,
  domain,
  system,
  inherited,
}: Given): Promise<void> {
  await dataSource.query(
    `INSERT INTO role_assignments
       (id, role_id, user_id, group_id, project_id, domain_id, on_system, inherited)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [newId(), role, user, group, project, domain, system ?? false, inherited ?? false],
  );
}

const imply = (prior: string, implied: string): Promise<unknown> =>
  dataSource.query('INSERT INTO role_inferences VALUES ($1, $2)', [prior, implied]);

function rolesOf(scope: Scope | undefined): string[] | undefined {
  return scope && scope.kind !== 'unscoped' ? scope.roles.map(({ name }) => name) : undefined;
}

const onProject = async (id: string, limit?: string[]): Promise<string[] | undefined> =>
  rolesOf(await scopes.project(ctx, 'u', { id }, limit));
const onDomain = async (id: string): Promise<string[] | undefined> =>
  rolesOf(await scopes.domain(ctx, 'u', { id }));
const onSystem = async (): Promise<string[] | undefined> => rolesOf(await scopes.system(ctx, 'u'));

describe('a role', () => {
  it('holds of the project that it was given on, and of no other', async () => {
    await give({ role: 'member', user: 'u', project: 'middle' });
    expect(await onProject('middle')).toEqual(['member']);
    expect(await onProject('top')).toBeUndefined();
    expect(await onProject('leaf')).toBeUndefined();
    expect(await onDomain('d')).toBeUndefined();
    expect(await onSystem()).toBeUndefined();
  });

  it('is given by a group as well', async () => {
    await give({ role: 'member', group: 'g', project: 'top' });
    await give({ role: 'reader', group: 'g', domain: 'd' });
    await give({ role: 'reader', group: 'g', system: true });
    expect(await onProject('top')).toEqual(['member']);
    expect(await onDomain('d')).toEqual(['reader']);
    expect(await onSystem()).toEqual(['reader']);
    await dataSource.query('DELETE FROM group_members');
    expect(await onProject('top')).toBeUndefined();
  });

  it('counts once, however the user has it', async () => {
    await give({ role: 'member', user: 'u', project: 'top' });
    await give({ role: 'member', group: 'g', project: 'top' });
    expect(await onProject('top')).toEqual(['member']);
  });

  it('inherited from a project holds of all below it, and not of itself', async () => {
    await give({ role: 'member', user: 'u', project: 'top', inherited: true });
    expect(await onProject('top')).toBeUndefined();
    expect(await onProject('middle')).toEqual(['member']);
    expect(await onProject('leaf')).toEqual(['member']);
    expect(await onProject('other')).toBeUndefined();
  });

  it('inherited from a domain holds of all its projects, and not of itself', async () => {
    await give({ role: 'member', group: 'g', domain: 'd', inherited: true });
    expect(await onProject('top')).toEqual(['member']);
    expect(await onProject('leaf')).toEqual(['member']);
    expect(await onProject('other')).toBeUndefined();
    expect(await onDomain('d')).toBeUndefined();
  });

  it('brings what it implies, over any number of steps', async () => {
    await imply('admin', 'member');
    await imply('member', 'reader');
    await give({ role: 'admin', user: 'u', project: 'top' });
    expect(await onProject('top')).toEqual(['admin', 'member', 'reader']);
  });

  it('of a domain is not seen itself, but for what it implies', async () => {
    await give({ role: 'house', user: 'u', project: 'top' });
    expect(await onProject('top')).toBeUndefined();
    await imply('house', 'reader');
    expect(await onProject('top')).toEqual(['reader']);
  });

  it('is worth nothing where the project or its domain is disabled', async () => {
    await give({ role: 'member', user: 'u', project: 'top' });
    await dataSource.query(`UPDATE projects SET enabled = false WHERE id = 'top'`);
    expect(await onProject('top')).toBeUndefined();
    await dataSource.query(`UPDATE projects SET enabled = true WHERE id = 'top'`);
    await dataSource.query(`UPDATE domains SET enabled = false WHERE id = 'd'`);
    expect(await onProject('top')).toBeUndefined();
  });
});

describe('a scope that is limited to some roles', () => {
  beforeEach(async () => {
    await imply('member', 'reader');
    await give({ role: 'admin', user: 'u', project: 'top' });
    await give({ role: 'member', user: 'u', project: 'top' });
  });

  it('has those, and what they imply', async () => {
    expect(await onProject('top', ['member'])).toEqual(['member', 'reader']);
    expect(await onProject('top', ['reader'])).toEqual(['reader']);
  });

  it('cannot be had where the user has lost one of them', async () => {
    await dataSource.query(`DELETE FROM role_assignments WHERE role_id = 'member'`);
    expect(await onProject('top', ['admin', 'member'])).toBeUndefined();
    expect(await onProject('top', ['admin'])).toEqual(['admin']);
  });

  it('cannot be had of no roles', async () => {
    expect(await onProject('top', [])).toBeUndefined();
  });
});

it('names the project and its domain', async () => {
  await give({ role: 'member', user: 'u', project: 'leaf' });
  const byName = await scopes.project(ctx, 'u', { name: 'leaf', domain: { name: 'D' } });
  expect(byName).toEqual({
    kind: 'project',
    project: { id: 'leaf', name: 'leaf' },
    domain: { id: 'd', name: 'D' },
    roles: [{ id: 'member', name: 'member' }],
  });
});
