/**
 * A page of a bucket with 100,000 objects reads only its own rows, with or without Postgres'
 * statistics of the table, by custom and by generic plans.
 */
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource, EntityManager } from 'typeorm';
import type { BucketId } from '../buckets/bucket.entity.js';
import { s3Service } from '../service.js';
import { ListingRepository } from './listing.repository.js';

const PAGE = 1000;
/** The row after the page, and a probe of each kind for each entry. */
const FEW = 2 * PAGE + 2;

const FLAT: BucketId = asId('00000000-0000-4000-8000-000000000001');
const GROUPED: BucketId = asId('00000000-0000-4000-8000-000000000002');
const DELETED: BucketId = asId('00000000-0000-4000-8000-000000000003');
const VERSIONED: BucketId = asId('00000000-0000-4000-8000-000000000004');

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Relation Name'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

let database: TestDatabase;
let dataSource: DataSource;
const listing = new ListingRepository();

beforeAll(async () => {
  database = await createTestDatabase(s3Service);
  dataSource = await s3Service.dataSource(database.url).initialize();
  await dataSource.query(
    `INSERT INTO buckets (id, project_id, name, region)
     SELECT id, 'one', 'bucket-' || id, 'us-east-1' FROM unnest($1::uuid[]) AS id`,
    [[FLAT, GROUPED, DELETED, VERSIONED]],
  );
  await dataSource.query('ALTER TABLE objects SET (autovacuum_enabled = off)');
  await fill(FLAT, 100_000, `'key-' || lpad(at::text, 6, '0')`);
  await fill(GROUPED, 100_000, `'dir-' || lpad((at % 2000)::text, 4, '0') || '/' || at`);
  await fill(DELETED, 20_000, `'a-' || lpad(at::text, 6, '0')`, 'is_delete_marker');
  await fill(DELETED, 2_000, `'b-' || lpad(at::text, 6, '0')`);
  await fill(VERSIONED, 20_000, `'key-' || lpad((at / 5000)::text, 6, '0')`, 'is_old');
}, 120_000);
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** @param key the key of row `at`. Triggers that count and free rows are disabled. */
async function fill(
  bucketId: BucketId,
  rows: number,
  key: string,
  kind?: 'is_delete_marker' | 'is_old',
): Promise<void> {
  const isMarker = kind === 'is_delete_marker';
  await dataSource.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query(
      `INSERT INTO objects (bucket_id, key, version_id, is_latest, is_delete_marker, content_id, owner_id)
       SELECT $1, convert_to(${key}, 'UTF8'), at::text, $3, $4,
              CASE WHEN NOT $4 THEN gen_random_uuid() END, 'one'
         FROM generate_series(1, $2::integer) AS at`,
      [bucketId, rows, kind !== 'is_old', isMarker],
    );
  });
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Listed = (ctx: RequestContext) => Promise<unknown>;

/** The one statement that a list sends. */
async function statementOf(list: Listed): Promise<Statement> {
  const sent: Statement[] = [];
  const connection = {
    query: (statement: Statement) => {
      sent.push(statement);
      return Promise.resolve({ rows: [] });
    },
  };
  const manager = { dataSource, queryRunner: { connect: () => Promise.resolve(connection) } };
  await list(RequestContext.system('req-plan', manager as unknown as EntityManager));
  const [statement] = sent;
  if (!statement || sent.length > 1) throw new Error('a list is one statement');
  return statement;
}

/** Rows that a list takes from the table, whether or not it shows them. */
async function rowsRead(list: Listed, planFor: 'any' | 'these'): Promise<number> {
  const { text, values } = await statementOf(list);
  const mode = planFor === 'any' ? 'force_generic_plan' : 'force_custom_plan';
  return dataSource.transaction(async (tx) => {
    await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
    await tx.query(`PREPARE listed AS ${text}`);
    const explained = `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE listed (${values.map(literal).join(', ')})`;
    const rows: [{ 'QUERY PLAN': [{ Plan: PlanNode }] }] = await tx.query(explained);
    await tx.query('DEALLOCATE listed');
    return readBy(rows[0]['QUERY PLAN'][0].Plan);
  });
}

function literal(value: unknown): string {
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  return value === null ? 'NULL' : `'${value as string | number}'`;
}

function readBy(node: PlanNode): number {
  const read =
    node['Relation Name'] === 'objects' || node['Node Type'] === 'Bitmap Index Scan'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0;
  return (node.Plans ?? []).reduce((sum, one) => sum + readBy(one), read);
}

const page = (more: object) => ({
  prefix: '',
  delimiter: '',
  after: '',
  limit: PAGE + 1,
  ...more,
});

const LISTS: [string, Listed][] = [
  ['the first keys', (ctx) => listing.objects(ctx, FLAT, page({}))],
  ['keys further on', (ctx) => listing.objects(ctx, FLAT, page({ after: 'key-050000' }))],
  ['keys with a prefix', (ctx) => listing.objects(ctx, FLAT, page({ prefix: 'key-05' }))],
  ['keys behind markers', (ctx) => listing.objects(ctx, DELETED, page({}))],
  ['keys that have no group', (ctx) => listing.objects(ctx, FLAT, page({ delimiter: '/' }))],
  ['groups', (ctx) => listing.objects(ctx, GROUPED, page({ delimiter: '/' }))],
  [
    'groups further on',
    (ctx) => listing.objects(ctx, GROUPED, page({ delimiter: '/', after: 'dir-0999/' })),
  ],
  ['versions', (ctx) => listing.versions(ctx, FLAT, page({}))],
  [
    'versions of a key with many',
    (ctx) => listing.versions(ctx, VERSIONED, page({ after: 'key-000001' }), '7000'),
  ],
  [
    'versions of a key, each by itself',
    (ctx) =>
      listing.versions(ctx, VERSIONED, page({ delimiter: '/', after: 'key-000001' }), '7000'),
  ],
  ['groups of versions', (ctx) => listing.versions(ctx, GROUPED, page({ delimiter: '/' }))],
];

describe.each(['has not looked', 'has looked'])('where Postgres %s at the table', (what) => {
  beforeAll(async () => {
    if (what === 'has looked') await dataSource.query('ANALYZE objects');
  });

  describe.each(['any', 'these'] as const)('and plans for %s parameters', (planFor) => {
    it.each(LISTS)('a page of %s reads no more rows than it needs', async (_, list) => {
      const read = await rowsRead(list, planFor);
      expect(read).toBeGreaterThanOrEqual(PAGE);
      expect(read).toBeLessThanOrEqual(FEW);
    });
  });
});
