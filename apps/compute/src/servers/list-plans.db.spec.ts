/** That a list of servers reads the rows of its page. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { equals } from '@cumulet/common/tables/condition';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { costlyParts } from '@cumulet/testing/list-plans';
import type { DataSource } from 'typeorm';
import { computeService } from '../service.js';
import { ListServersQuery } from './list-servers.js';
import { ServerRepository } from './server.repository.js';

let database: TestDatabase;
let dataSource: DataSource;
const list = { table: new ServerRepository(), query: ListServersQuery };

beforeAll(async () => {
  database = await createTestDatabase(computeService);
  dataSource = await computeService.dataSource(database.url).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

it('of a project', async () => {
  const scope = [equals('projectId', 'one')];
  expect(await costlyParts(dataSource, { ...list, scope })).toEqual([]);
});

it('of all projects', async () => {
  expect(await costlyParts(dataSource, list)).toEqual([]);
});

it('is found costly where it is: nothing is indexed by reservation', async () => {
  const filters = { reservation_id: 'r-1' };
  expect(await costlyParts(dataSource, { ...list, filters })).toEqual(['reservation_id']);
});
