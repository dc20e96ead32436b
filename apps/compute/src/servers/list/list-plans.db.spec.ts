/** A list of servers reads the rows of its page, of 100,000 in its project. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource, EntityManager } from 'typeorm';
import { ServerHistoryRepository } from '../deleted/server-history.repository.js';
import { computeService } from '../../service.js';
import { ListServers, ListServersQuery } from './list-servers.js';
import { ServerRepository } from '../server.repository.js';

const SERVERS = 100_000;
/** More than a page, and far less than all. */
const FEW = 2_000;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(computeService);
  dataSource = await computeService.dataSource(database.url).initialize();
  await dataSource.query(
    `INSERT INTO servers (id, project_id, user_id, name, hostname, flavor, vcpus, memory_mb, disk_gb,
                          image_id, image, nic, reservation_id, state, created_at)
     SELECT gen_random_uuid(), 'one', 'user', 'server-' || at, 'server', '{"id": "1", "name": "m1"}',
            1, 512, 1, gen_random_uuid(), '{}', 'none', 'r-' || at,
            CASE WHEN at % 20000 = 0 THEN 'error' ELSE 'active' END,
            timestamptz '2026-01-01' + at * interval '1 second'
       FROM generate_series(1, $1) AS at`,
    [SERVERS],
  );
  await dataSource.query('ANALYZE servers');
}, 120_000);

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

describe.each([
  ['of a project', 'member', {}],
  ['of all projects', 'admin', { all_tenants: true }],
])('a list %s', (_, role, across) => {
  it.each<[string, Record<string, unknown>]>([
    ['without a filter', {}],
    ['from its middle on', { marker: 'MIDDLE' }],
    ['by a status that most have', { status: 'ACTIVE' }],
    ['by a status that few have', { status: 'ERROR' }],
    ['by a status that none has', { status: 'SHUTOFF' }],
    ['by two statuses', { status: ['ERROR', 'SHUTOFF'] }],
    ['by a whole name', { name: '^server-77777$' }],
    ['by a part of a name that one has', { name: 'server-77777' }],
    ['by a part of a name that all have', { name: 'server' }],
    ['by a name that none has', { name: 'database' }],
    ['by a request', { reservation_id: 'r-77777' }],
    ['by an id', { uuid: 'MIDDLE' }],
    ['sorted by name', { sort_key: 'display_name', sort_dir: 'asc' }],
    ['sorted by name the other way', { sort_key: 'display_name', sort_dir: 'desc' }],
    ['by status, sorted the other way', { status: 'ACTIVE', sort_dir: 'asc' }],
    ['sorted by name from its middle on', { sort_key: 'display_name', marker: 'MIDDLE' }],
  ])('reads the rows of its page: %s', async (__, query) => {
    const [middle]: { id: string }[] = await dataSource.query(
      `SELECT id FROM servers WHERE name = 'server-50000'`,
    );
    const fields: Record<string, unknown> = { limit: 20, ...across, ...query };
    const asked = Object.entries(fields).map(([name, value]) => [
      name,
      value === 'MIDDLE' ? middle?.id : value,
    ]);
    const read = await rowsRead(role, Object.fromEntries(asked) as ListServersQuery);
    expect(read).toBeLessThan(FEW);
  });
});

/** The rows that Postgres reads for a list, in any step of its plan. */
async function rowsRead(role: string, query: ListServersQuery): Promise<number> {
  const statements: { text: string; values: unknown[] }[] = [];
  const connection = {
    query: async (statement: (typeof statements)[number]) => {
      const isMarker = !statement.text.includes('ORDER BY');
      if (!isMarker) statements.push(statement);
      return {
        rows: isMarker
          ? ((await dataSource.query(statement.text, statement.values)) as unknown)
          : [],
      };
    },
  };
  const manager = { dataSource, queryRunner: { connect: () => Promise.resolve(connection) } };
  const ctx = new RequestContext({
    requestId: asId('req-plan'),
    userId: asId('user'),
    projectId: asId('one'),
    roles: [role],
    manager: manager as unknown as EntityManager,
  });
  const lists = new ListServers(new ServerRepository(), new ServerHistoryRepository());
  await lists.page(ctx, Object.assign(new ListServersQuery(), query));
  const [statement] = statements;
  if (!statement) return 0;
  const rows: [{ 'QUERY PLAN': [{ Plan: PlanNode }] }] = await dataSource.query(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`,
    statement.values,
  );
  return rowsOf(rows[0]['QUERY PLAN'][0].Plan);
}

function rowsOf(node: PlanNode): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return Math.max(own, ...(node.Plans ?? []).map(rowsOf));
}
