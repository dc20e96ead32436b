/** Lists that grow with a cloud read only the rows of their page. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { equals } from '@cumulet/common/tables/condition';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { costlyParts, type CheckedList } from '@cumulet/testing/list-plans';
import type { DataSource } from 'typeorm';
import { ListCredentialsQuery } from './credentials/credential.resource.js';
import { credentials } from './credentials/credentials.service.js';
import { ListGroupsQuery } from './groups/group.resource.js';
import { groups } from './groups/groups.service.js';
import { ListProjectsQuery } from './projects/project.resource.js';
import { projects } from './projects/project.repository.js';
import { identityService } from './service.js';
import { ListUsersQuery } from './users/user.resource.js';
import { users } from './users/user.repository.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(identityService);
  dataSource = await identityService.dataSource(database.url).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const inDomain = [equals('domainId', 'default')];
const filters = { name: 'one', domain_id: 'default' };

/** Checks a list by `costlyParts`, with its own type of rows. */
const plan = <Row extends object>(list: CheckedList<Row>) => {
  return (): Promise<string[]> => costlyParts(dataSource, list);
};

it.each<[string, () => Promise<string[]>]>([
  ['users', plan({ table: users, query: ListUsersQuery, filters })],
  ['users of a domain', plan({ table: users, query: ListUsersQuery, scope: inDomain })],
  ['projects', plan({ table: projects, query: ListProjectsQuery, filters })],
  ['projects of a domain', plan({ table: projects, query: ListProjectsQuery, scope: inDomain })],
  ['groups', plan({ table: groups, query: ListGroupsQuery, filters })],
  ['groups of a domain', plan({ table: groups, query: ListGroupsQuery, scope: inDomain })],
  [
    'credentials',
    plan({ table: credentials, query: ListCredentialsQuery, filters: { user_id: 'u' } }),
  ],
])('a page of %s is found by its index', async (_, costly) => {
  expect(await costly()).toEqual([]);
});
