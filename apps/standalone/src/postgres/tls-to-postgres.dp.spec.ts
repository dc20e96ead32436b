/** Every connection of a service to a Postgres that serves TLS. */
import { chown, copyFile, chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseUrl } from '@cumulet/common/config/settings';
import { createDataSource } from '@cumulet/common/database/data-source';
import { closeJobPool, jobPool } from '@cumulet/common/jobs/job-pool';
import { Liveness } from '@cumulet/common/jobs/liveness';
import type { Cluster } from '@cumulet/embedded-postgres/cluster';
import { startThrowawayCluster } from '@cumulet/embedded-postgres/throwaway-cluster';
import { CertificateFiles } from '@cumulet/testing/certificate-files';
import { eventually } from '@cumulet/testing/settle';
import type { DataSource } from 'typeorm';

const files = new CertificateFiles();
const ours = files.authority('ours');
const other = files.authority('other');
let cluster: Cluster;

/** @param query of the URL, which names the server by its address: `sslmode=require` */
function dataSourceAt(query: string, host = '127.0.0.1'): DataSource {
  const setting = databaseUrl('DATABASE_URL', { about: 'A database.' });
  const url = `${cluster.url('postgres')}?${query}`.replace('@127.0.0.1:', `@${host}:`);
  return createDataSource({
    url: setting.read(url),
    poolSize: 1,
    applicationName: 'tls',
    entities: [],
    migrations: [],
  });
}

async function connecting(query: string, host?: string): Promise<string> {
  const source = dataSourceAt(query, host);
  try {
    await source.initialize();
    return 'connected';
  } catch (error) {
    return (error as Error).message;
  } finally {
    if (source.isInitialized) await source.destroy();
  }
}

beforeAll(async () => {
  files.issue(ours, 'DNS:localhost');
  cluster = await startThrowawayCluster(() => undefined);
  const admin = dataSourceAt('sslmode=disable');
  await admin.initialize();
  // Its own folder, under whatever name the server was started with.
  const data = `/proc/${cluster.pid()}/cwd`;
  const { uid, gid } = await stat(data);
  for (const path of [files.certificate, files.key]) {
    const copy = join(data, path === files.key ? 'server.key' : 'server.crt');
    await copyFile(path, copy);
    await chmod(copy, 0o600);
    await chown(copy, uid, gid);
  }
  await admin.query('ALTER SYSTEM SET ssl = on');
  await admin.query('SELECT pg_reload_conf()');
  await admin.destroy();
  await eventually('Postgres serves TLS', async () => {
    return (await connecting('sslmode=require')) === 'connected';
  });
});
afterAll(async () => {
  await cluster.stop();
  files.remove();
});

describe("a database's sslmode", () => {
  it.each([
    ['verify-full', 'localhost', () => ours],
    ['verify-ca', '127.0.0.1', () => ours],
  ])('%s accepts the certificate at %s', async (mode, host, authority) => {
    expect(await connecting(`sslmode=${mode}&sslrootcert=${authority()}`, host)).toBe('connected');
  });

  it.each(['verify-full', 'verify-ca', 'require'])(
    '%s refuses a certificate of another authority than the given one',
    async (mode) => {
      const fault = await connecting(`sslmode=${mode}&sslrootcert=${other}`, 'localhost');
      expect(fault).toMatch(/unable to|self-signed/);
    },
  );

  it('verify-full refuses the certificate of another name', async () => {
    const fault = await connecting(`sslmode=verify-full&sslrootcert=${ours}`);
    expect(fault).toMatch(/does not match/);
  });

  it('verify-full refuses an authority that nobody named', async () => {
    expect(await connecting('sslmode=verify-full', 'localhost')).toMatch(/unable to|self-signed/);
  });
});

it('all connections of a service are encrypted', async () => {
  const source = dataSourceAt(`sslmode=verify-full&sslrootcert=${ours}`, 'localhost');
  await source.initialize();
  const liveness = new Liveness((source.options as { url: string }).url, () => undefined);
  try {
    await liveness.hold('a worker');
    await jobPool(source).query('SELECT 1');
    const rows: unknown = await source.query(
      `SELECT application_name AS name, ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE backend_type = 'client backend' ORDER BY application_name`,
    );
    expect(rows).toEqual([
      { name: 'cumulet jobs', ssl: true },
      { name: 'cumulet liveness', ssl: true },
      { name: 'tls', ssl: true },
    ]);
  } finally {
    await liveness.stop();
    await closeJobPool(source);
    await source.destroy();
  }
});
