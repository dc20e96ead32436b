/** A list of migrations reads the rows of its page, of 50,000. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { Microversion } from '@cumulet/common/context/microversion';
import type { DataSource, EntityManager } from 'typeorm';
import { computeService } from '../service.js';
import { ListMigrationsQuery } from './server-migration.resource.js';
import { ServerMigrationsService } from './server-migrations.service.js';

const MIGRATIONS = 50_000;
/** More than a page, and far less than all. */
const FEW = 2_000;

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(computeService);
  dataSource = await computeService.dataSource(database.url).initialize();
  await dataSource.query(
    `INSERT INTO server_migrations (uuid, server_id, type, status, source_host, dest_host, project_id, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'resize',
            CASE WHEN at % 20000 = 0 THEN 'error' ELSE 'confirmed' END, 'host-' || at % 10,
            'host-' || (at + 1) % 10, 'project-' || at % 10,
            timestamptz '2026-01-01' + at * interval '1 second'
       FROM generate_series(1, $1) AS at`,
    [MIGRATIONS],
  );
  await dataSource.query('VACUUM ANALYZE server_migrations');
}, 60_000);

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

it.each<[string, Partial<ListMigrationsQuery>]>([
  ['without a filter', {}],
  ['of a host', { host: 'host-3' }],
  ['from a host', { source_compute: 'host-3' }],
  ['of a project', { project_id: 'project-3' }],
  ['of a status that most have', { status: 'confirmed' }],
  ['of a status that few have', { status: 'error' }],
  ['of a server', { instance_uuid: '0b3f5f0e-4cbb-4d5c-8a6f-0a4a3f6a2a11' }],
])('reads the rows of its page: %s', async (_, query) => {
  const statements: [string, unknown[]][] = [];
  const connection = {
    query: ({ text, values }: { text: string; values: unknown[] }) => {
      statements.push([text, values]);
      return Promise.resolve({ rows: [] });
    },
  };
  const queryRunner = { connect: () => Promise.resolve(connection) };
  const ctx = new RequestContext({
    requestId: asId('req-plan'),
    userId: asId('user'),
    projectId: asId('one'),
    roles: ['admin'],
    microversion: new Microversion(2, 80),
    manager: { dataSource, queryRunner } as unknown as EntityManager,
  });
  const asked = Object.assign(new ListMigrationsQuery(), { limit: 20, ...query });
  await new ServerMigrationsService().page(ctx, asked);
  const [text, values] = statements[0] ?? ['', []];
  const rows: { 'QUERY PLAN': [{ Plan: Node }] }[] = await dataSource.query(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  expect(
    rowsOf((rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan),
  ).toBeLessThan(FEW);
});

interface Node {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

function rowsOf(node: Node): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return Math.max(own, ...(node.Plans ?? []).map(rowsOf));
}
