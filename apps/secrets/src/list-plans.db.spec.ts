/** That the lists which grow with a cloud read the rows of their page. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { equals } from '@cumulet/common/tables/condition';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { costlyParts, type CheckedList } from '@cumulet/testing/list-plans';
import type { DataSource } from 'typeorm';
import { containerConsumers, secretConsumers } from './consumers/consumer.resource.js';
import { containers } from './containers/container.resource.js';
import { secrets } from './secrets/secret.resource.js';
import { sortOf } from './secrets/secret.filters.js';
import { secretsService } from './service.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(secretsService);
  dataSource = await secretsService.dataSource(database.url).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const ID = '00000000-0000-4000-8000-000000000000';
const query = { pageOf: () => ({ sort: sortOf(), limit: 20, offset: 40 }) };

const plan = <Row extends object>(list: Pick<CheckedList<Row>, 'table' | 'scope'>) => {
  return (): Promise<string[]> => costlyParts(dataSource, { ...list, query });
};

it.each<[string, () => Promise<string[]>]>([
  ['secrets', plan({ table: secrets, scope: [equals('projectId', 'one')] })],
  ['containers', plan({ table: containers, scope: [equals('projectId', 'one')] })],
  ['consumers of secrets', plan({ table: secretConsumers, scope: [equals('secretId', ID)] })],
  [
    'consumers of containers',
    plan({ table: containerConsumers, scope: [equals('containerId', ID)] }),
  ],
])('%s are read in their order', async (_what, costly) => expect(await costly()).toEqual([]));

it('what is shared with a user is found by an index', async () => {
  const plan = await dataSource.transaction(async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    return tx.query<unknown>(`EXPLAIN SELECT id FROM secrets WHERE acl_users @> ARRAY['one']`);
  });
  expect(JSON.stringify(plan)).toContain('secrets_acl_users');
});
