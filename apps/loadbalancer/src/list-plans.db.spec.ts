/** That the lists which grow with a cloud read the rows of their page. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { pageOf } from '@cumulet/common/resources/list-query';
import type { Resource } from '@cumulet/common/resources/resource';
import { equals } from '@cumulet/common/tables/condition';
import type { Table } from '@cumulet/common/tables/table';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { costlyParts } from '@cumulet/testing/list-plans';
import type { DataSource } from 'typeorm';
import { l7PolicyResource } from './l7-policies/l7-policy.resource.js';
import { l7Policies } from './tree/l7-policy.entity.js';
import { listenerResource } from './listeners/listener.resource.js';
import { listeners } from './tree/listener.entity.js';
import { loadBalancerResource } from './load-balancers/load-balancer.resource.js';
import { loadBalancers } from './tree/load-balancer.entity.js';
import { memberResource } from './tree/member.resource.js';
import { members } from './tree/member.resource.js';
import { poolResource } from './pools/pool.resource.js';
import { pools } from './tree/pool.entity.js';
import { octaviaQuery } from './resources/octavia-query.js';
import { loadBalancerService } from './service.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(loadBalancerService);
  dataSource = await loadBalancerService.dataSource(database.url).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Of a project's list, in the order that a client gets without asking. */
const plan = <Row extends { readonly id: string }>(
  table: Table<Row>,
  resource: Resource<object>,
  scope = [equals('projectId', 'one')],
) => {
  return (): Promise<string[]> => {
    const ctx = RequestContext.system('req-plan', dataSource.manager);
    const texts = (fields: object): Record<string, string> =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    const query = {
      pageOf: (fields: object) => pageOf<Row>(resource, octaviaQuery(resource, texts(fields)), ctx),
    };
    return costlyParts(dataSource, { table, query, scope });
  };
};

it.each<[string, () => Promise<string[]>]>([
  ['load balancers', plan(loadBalancers, loadBalancerResource)],
  ['listeners', plan(listeners, listenerResource)],
  ['pools', plan(pools, poolResource)],
  ['members', plan(members, memberResource)],
  ['L7 policies', plan(l7Policies, l7PolicyResource)],
])('a page of %s uses its index', async (_, costly) => {
  expect(await costly()).toEqual([]);
});
