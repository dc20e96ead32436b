/**
 * A database for one test file, cloned from a template that was migrated once per test run.
 * Cloning copies files, so a test file pays milliseconds for a schema that took seconds.
 */
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { migrate } from '@cumulet/common/app/migrate';
import { closeJobPool } from '@cumulet/common/jobs/job-pool';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** The part of a service's declaration that a database needs. */
export interface DatabaseOwner {
  readonly name: string;
  dataSource(url: string): DataSource;
}

export async function createTestDatabase(owner: DatabaseOwner): Promise<TestDatabase> {
  const template = `template_${owner.name}_${schemaHash(owner.dataSource(adminUrl()))}`;
  const name = `test_${owner.name}_${randomBytes(6).toString('hex')}`;
  await asAdmin(async (admin) => {
    // Two test files may start at once; they share the template, so a lock guards its creation.
    await admin.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
    const found = await admin.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (found.rowCount === 0) await createTemplate(admin, template, owner);
    // By default Postgres copies by its log, page by page, which takes three times the processor time.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  });
  return {
    url: databaseUrl(name),
    drop: () =>
      asAdmin(async (admin) => {
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** Identifies a schema's template in a Postgres that outlives test runs. */
function schemaHash({ options }: DataSource): string {
  const migrations = Object.values(options.migrations ?? []).map(String);
  return createHash('sha256').update(migrations.join('\n')).digest('hex').slice(0, 12);
}

async function createTemplate(
  admin: pg.Client,
  template: string,
  owner: DatabaseOwner,
): Promise<void> {
  const unfinished = `${template}_unfinished`;
  await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${unfinished}`);
  const dataSource = owner.dataSource(databaseUrl(unfinished));
  await dataSource.initialize();
  try {
    await migrate(dataSource);
  } finally {
    await closeJobPool(dataSource);
    await dataSource.destroy();
  }
  await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
}

function adminUrl(): string {
  const url = process.env['CUMULET_TEST_POSTGRES'];
  if (!url)
    throw new Error(
      'CUMULET_TEST_POSTGRES is not set: run this test in a project that starts Postgres',
    );
  return url;
}

function databaseUrl(name: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdmin(work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
