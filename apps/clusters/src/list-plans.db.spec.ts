/** Lists read only the rows of their page, however many there are. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { equals } from '@cumulet/common/tables/condition';
import type { Table } from '@cumulet/common/tables/table';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { costlyParts } from '@cumulet/testing/list-plans';
import type { DataSource } from 'typeorm';
import { ListClusterTemplatesQuery } from './cluster-templates/cluster-template.resource.js';
import { clusterTemplates } from './cluster-templates/cluster-template.repository.js';
import { ListClustersQuery } from './clusters/cluster.resource.js';
import { clusters } from './clusters/cluster.repository.js';
import { pageOf, type PageQuery } from './http/paging.js';
import { ListNodeGroupsQuery } from './node-groups/node-group.resource.js';
import { nodeGroups } from './node-groups/node-group.repository.js';
import { clustersService } from './service.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(clustersService);
  dataSource = await clustersService.dataSource(database.url).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const PROJECT = [equals('projectId', 'one')];

/** The default order. */
function plan<Row extends { readonly id: string }>(
  table: Table<Row>,
  query: new () => PageQuery,
  scope = PROJECT,
) {
  return (): Promise<string[]> =>
    costlyParts(dataSource, {
      table,
      query: { pageOf: (fields) => pageOf<Row>(Object.assign(new query(), fields)) },
      scope,
    });
}

it.each<[string, () => Promise<string[]>]>([
  ["a project's clusters", plan(clusters, ListClustersQuery)],
  ['all clusters', plan(clusters, ListClustersQuery, [])],
  ["a project's templates", plan(clusterTemplates, ListClusterTemplatesQuery)],
  ['all templates', plan(clusterTemplates, ListClusterTemplatesQuery, [])],
  [
    "a cluster's node groups",
    plan(nodeGroups, ListNodeGroupsQuery, [
      equals('clusterId', '00000000-0000-4000-8000-000000000000'),
    ]),
  ],
])('a page of %s is found by its index', async (_, costly) => {
  expect(await costly()).toEqual([]);
});
