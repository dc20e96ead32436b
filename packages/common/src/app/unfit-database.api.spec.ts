/** A service as its program runs it, whose database cannot be used: at its start, and later. */
import 'reflect-metadata';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { DatabaseProxy } from '@cumulet/testing/database-proxy';
import { TestClient } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { testConfig } from '@cumulet/testing/start-service';
import { RELEASE } from '../config/release.js';
import { RequestContext } from '../context/request-context.js';
import { newRequestId } from '../context/request-id.js';
import { createDataSource } from '../database/data-source.js';
import { jobsOf } from '../jobs/job.fixture.js';
import { nudge } from '../jobs/nudge.js';
import { createLogger } from '../observe/logger.js';
import { Widget } from '../states/widget.fixture.js';
import { migrateService } from './migrate.js';
import { ServiceApp } from './service-app.js';
import { widgetsService } from './widgets-service.fixture.js';

const UNREACHABLE = 'The service cannot reach its database at present.';
const READ_ONLY = 'The database of the service is read-only at present.';
const REFUSED = 'The database of the service refuses its user or password at present.';
const ABSENT = 'The database of the service does not exist at present.';

let database: TestDatabase;
let admin: pg.Client;
let name: string;
const apps: ServiceApp[] = [];
/** What the service's log says of its readiness. */
let lines: string[];

beforeEach(async () => {
  database = await createTestDatabase(widgetsService);
  name = new URL(database.url).pathname.slice(1);
  admin = await connected(new URL('/postgres', database.url));
  lines = [];
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
  await admin.end();
  await database.drop();
});

async function connected(url: URL): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

/** @returns once it listens; its `start` goes on */
async function run(url: string, env: Record<string, string> = {}) {
  const config = testConfig(widgetsService, url, env);
  const logger = createLogger('widgets', 'info', {
    write: (line) => {
      const { msg } = JSON.parse(line) as { readonly msg: string };
      if (/^(not )?ready/.test(msg)) lines.push(msg);
    },
  });
  const app = new ServiceApp(widgetsService, config, { waits: true, logger });
  apps.push(app);
  const started = app.start();
  const failed = started.then(() => new Promise<never>(() => undefined));
  await Promise.race([failed, eventually('it listens', () => app.address !== undefined)]);
  return { started, app, client: new TestClient(app.address ?? '') };
}

/** Gives the service a job that goes on. @returns asks whether a worker has it */
async function withJob({ dataSource }: ServiceApp): Promise<() => Promise<boolean>> {
  const ctx = RequestContext.system(newRequestId(), dataSource.manager);
  const id = randomUUID();
  const stateDeadline = new Date(Date.now() + 60_000);
  const widget = { id, projectId: 'project', name: id, size: 1, state: 'making', stateDeadline };
  await ctx.manager.insert(Widget, widget as Widget);
  await nudge(ctx, { task: 'widget', resource: 'widget', id });
  return async () => (await jobsOf(dataSource))[0]?.worker !== null;
}

/** Whether it is alive and says why it does not serve, in the service's envelope. */
async function expectRefusal(client: TestClient, message: string): Promise<void> {
  const refusal = { serviceUnavailable: { code: 503, message } };
  await eventually('it says why it is not ready', async () => {
    const { status, body } = await client.get('/readyz');
    return status === 503 && JSON.stringify(body) === JSON.stringify(refusal);
  });
  const answer = await client.get('/v1/texts');
  expect([answer.status, answer.body]).toEqual([503, refusal]);
  expect(answer.headers.get('Retry-After')).toBe('5');
  expect((await client.get('/healthz')).status).toBe(200);
}

async function expectRecovery(client: TestClient, message: string): Promise<void> {
  await eventually('it is ready', async () => (await client.get('/readyz')).status === 200);
  expect((await client.get('/v1/texts')).status).toBe(200);
  expect(lines).toEqual([`not ready: ${message}`, `ready again after: ${message}`]);
}

describe('a service that starts', () => {
  it('before its database answers listens, and is ready as soon as it can', async () => {
    const wire = await DatabaseProxy.to(database.url);
    await wire.cut();
    const { client, started } = await run(wire.url);
    await expectRefusal(client, UNREACHABLE);
    await wire.mend();
    await started;
    await expectRecovery(client, UNREACHABLE);
    await apps.pop()?.stop();
    await wire.cut();
  });

  it.each([
    [
      READ_ONLY,
      () => `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
      () => `ALTER DATABASE ${name} RESET default_transaction_read_only`,
    ],
    [
      ABSENT,
      () => `ALTER DATABASE ${name} RENAME TO ${name}_hidden`,
      () => `ALTER DATABASE ${name}_hidden RENAME TO ${name}`,
    ],
  ])('while it is told "%s" waits for the operator', async (message, spoil, mend) => {
    await admin.query(spoil());
    const { client, started } = await run(database.url);
    await expectRefusal(client, message);
    await admin.query(mend());
    await started;
    await expectRecovery(client, message);
  });

  it('with a password that Postgres refuses waits until it is set', async () => {
    const user = `user_${randomBytes(6).toString('hex')}`;
    await admin.query(`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'another'`);
    const url = new URL(database.url);
    [url.username, url.password] = [user, 'chosen'];
    const { client, started } = await run(url.href);
    await expectRefusal(client, REFUSED);
    await admin.query(`ALTER ROLE ${user} PASSWORD 'chosen'`);
    await started;
    await expectRecovery(client, REFUSED);
    await apps.pop()?.stop();
    await admin.query(`DROP ROLE ${user}`);
  });

  it('on a port that is taken fails, as waiting would not help', async () => {
    const { app } = await run(database.url);
    const { port } = new URL(app.address ?? '');
    await expect(run(database.url, { WIDGETS_PORT: port })).rejects.toThrow('EADDRINUSE');
  });

  it('ends its start when it is stopped before it could', async () => {
    const { started, app } = await run('postgres://127.0.0.1:1/nothing');
    await app.stop();
    await started;
  });

  it('and leaves migrations to others waits for them, and says which lack', async () => {
    const empty = await createTestDatabase({
      name: 'nothing',
      dataSource: (url) =>
        createDataSource({ url, poolSize: 2, applicationName: 'x', entities: [], migrations: [] }),
    });
    const { client, started } = await run(empty.url, { CUMULET_MIGRATE: 'false' });
    const lacking = `The schema of the database is older than release ${RELEASE}: it lacks the migration CreateWidgets1763700000000 and 2 more.`;
    await expectRefusal(client, lacking);
    await migrateService(widgetsService, empty.url);
    await started;
    expect((await client.get('/readyz')).status).toBe(200);
    await apps.pop()?.stop();
    await empty.drop();
  });

  it('takes no notice of migrations of newer releases', async () => {
    const sql = await connected(new URL(database.url));
    await sql.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Newer1')`);
    await sql.end();
    const { client, started } = await run(database.url, { CUMULET_MIGRATE: 'false' });
    await started;
    expect((await client.get('/readyz')).status).toBe(200);
    expect(lines).toEqual([]);
  });
});

describe('a service that runs', () => {
  const CONTRACTED = `The schema of the database serves releases from 99.10.0 on; this process is of ${RELEASE}.`;
  const clockIs = (interval: string) => `
    CREATE SCHEMA shifted;
    CREATE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE sql
      AS $$ SELECT pg_catalog.clock_timestamp() ${interval} $$`;
  const off = (how: string): string =>
    `The clock of this process is more than 30 seconds ${how} that of its database.`;

  let sql: pg.Client;
  beforeEach(async () => {
    // So that a function in a schema can stand for Postgres's own clock.
    await admin.query(`ALTER DATABASE ${name} SET search_path = shifted, public, pg_catalog`);
    sql = await connected(new URL(database.url));
  });
  afterEach(() => sql.end());

  it.each([
    [CONTRACTED, `UPDATE served_releases SET oldest = '99.10.0'`, `DELETE FROM served_releases`],
    [off('ahead of'), clockIs("- interval '1 hour'"), 'DROP SCHEMA shifted CASCADE'],
    [off('behind'), clockIs("+ interval '1 hour'"), 'DROP SCHEMA shifted CASCADE'],
  ])('refuses requests while "%s" holds', async (message, spoil, mend) => {
    const { client, started } = await run(database.url);
    await started;
    expect((await client.get('/v1/texts')).status).toBe(200);
    await sql.query(spoil);
    await expectRefusal(client, message);
    await sql.query(mend);
    await expectRecovery(client, message);
  });

  it('refuses requests while its database is read-only, also where sessions keep that', async () => {
    const { client, started } = await run(database.url);
    await started;
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = $1 AND application_name LIKE 'cumulet%'`,
      [name],
    );
    await eventually('it is read-only', async () => {
      const { body } = await client.get('/readyz');
      return JSON.stringify(body).includes(READ_ONLY);
    });
    expect((await client.get('/v1/texts')).status).toBe(503);
    await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await eventually('it is ready', async () => (await client.get('/readyz')).status === 200);
  });

  it('takes jobs after its database was away', async () => {
    const wire = await DatabaseProxy.to(database.url);
    const { app, client, started } = await run(wire.url);
    await started;
    await wire.cut();
    expect((await client.get('/readyz')).status).toBe(503);
    await wire.mend();
    await eventually('it is ready', async () => (await client.get('/readyz')).status === 200);
    await eventually('it works on a new job', await withJob(app));
    await apps.pop()?.stop();
    await wire.cut();
  });

  it('gives its jobs back while the schema does not serve it, and takes them again', async () => {
    const { app, client, started } = await run(database.url);
    await started;
    const isHeld = await withJob(app);
    await eventually('it works on the job', isHeld);
    await sql.query(`UPDATE served_releases SET oldest = '99.0.0'`);
    await eventually('the job is given back', async () => !(await isHeld()));
    expect((await client.get('/readyz')).status).toBe(503);
    await sql.query('DELETE FROM served_releases');
    await eventually('it works on the job again', isHeld);
  });
});
