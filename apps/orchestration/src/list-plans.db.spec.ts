/** Lists that grow with a cloud read only the rows of their page. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import type { Page } from '@cumulet/common/tables/page';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { costlyParts } from '@cumulet/testing/list-plans';
import type { DataSource } from 'typeorm';
import { orchestrationService } from './service.js';
import { type SoftwareConfig } from './software-configs/software-config.entity.js';
import { softwareConfigs } from './software-configs/software-config.repository.js';
import { stackListQuery } from './stacks/stack-list.query.js';
import { presentStacks } from './rows/stack.repository.js';
import { type Stack } from './rows/stack.entity.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(orchestrationService);
  dataSource = await orchestrationService.dataSource(database.url).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const scope: Condition[] = [equals('projectId', 'one')];

const texts = (fields: object): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

const stackPage = (fields: object): Page<Stack> => stackListQuery(texts(fields), ['hidden']);

it.each<[string, () => Promise<string[]>]>([
  [
    'stacks',
    () => costlyParts(dataSource, { table: presentStacks, query: { pageOf: stackPage }, scope }),
  ],
  [
    'stacks with those below others',
    () => {
      const pageOf = (fields: object): Page<Stack> => stackPage({ show_nested: true, ...fields });
      return costlyParts(dataSource, { table: presentStacks, query: { pageOf }, scope });
    },
  ],
  [
    'software configs',
    () => {
      const pageOf = (): Page<SoftwareConfig> => ({
        sort: [{ by: 'createdAt', descending: true }],
        limit: 20,
      });
      return costlyParts(dataSource, { table: softwareConfigs, query: { pageOf }, scope });
    },
  ],
])('a page of %s is read by its index', async (_, costly) => {
  expect(await costly()).toEqual([]);
});
