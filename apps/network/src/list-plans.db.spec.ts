/** Queries of lists that grow with a cloud read only the rows of their page. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { costlyParts, type CheckedList } from '@cumulet/testing/list-plans';
import type { DataSource } from 'typeorm';
import { pageOf } from '@cumulet/common/resources/list-query';
import type { Resource } from '@cumulet/common/resources/resource';
import { networkResource } from './networks/network.resource.js';
import { networks } from './networks/networks.service.js';
import { portResource } from './ports/port.resource.js';
import { ports } from './ports/port.repository.js';
import { networkService } from './service.js';
import { subnetResource } from './subnets/subnet.resource.js';
import { subnets } from './subnets/subnet.repository.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(networkService);
  dataSource = await networkService.dataSource(database.url).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const ID = '00000000-0000-4000-8000-000000000000';

/** Types differ, so `costlyParts` gets each separately. */
const plan = <Row extends object>(
  { table, filters }: Pick<CheckedList<Row>, 'table' | 'filters'>,
  resource: Resource<object>,
) => {
  return (): Promise<string[]> => {
    const ctx = RequestContext.system('req-plan', dataSource.manager);
    const query = {
      pageOf: (fields: object) =>
        pageOf<Row>(
          resource,
          Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
          ctx,
        ),
    };
    return costlyParts(dataSource, { table, query, ...(filters && { filters }) });
  };
};

it.each<[string, () => Promise<string[]>]>([
  [
    'ports',
    plan(
      {
        table: ports,
        filters: {
          id: ID,
          project_id: 'one',
          network_id: ID,
          device_id: 'one',
          fixed_ips: `subnet_id=${ID}`,
          qos_policy_id: ID,
        },
      },
      portResource,
    ),
  ],
  ['networks', plan({ table: networks, filters: { project_id: 'one' } }, networkResource)],
  [
    'subnets',
    plan({ table: subnets, filters: { project_id: 'one', network_id: ID } }, subnetResource),
  ],
])('a page of %s is found by an index', async (_, costly) => {
  expect(await costly()).toEqual([]);
});

it('a query without an index is found costly: there is none on description', async () => {
  const costly = plan({ table: ports, filters: { description: 'one' } }, portResource);
  expect(await costly()).toEqual(['description']);
});
