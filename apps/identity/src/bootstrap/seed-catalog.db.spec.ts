import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { CatalogService, IdentityConfig } from '../config.js';
import { testConfig } from '../identity.fixture.js';
import { SeedCatalog } from './seed-catalog.js';
import { identityService } from '../service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

beforeEach(async () => {
  database = await createTestDatabase(identityService);
  dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  ctx = RequestContext.system('req', dataSource.manager);
});

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

function start(changes: Partial<IdentityConfig> = {}): Promise<void> {
  const config = testConfig(database.url, changes);
  const catalog = new SeedCatalog(config);
  return inTransaction(ctx, (tx) => catalog.ensure(tx));
}

/** `compute public North http://…`, of every endpoint. */
async function endpoints(type = '%'): Promise<string[]> {
  const rows: { line: string }[] = await dataSource.query(
    `SELECT concat_ws(' ', type, interface, region_id, url) AS line
       FROM endpoints JOIN services ON services.id = service_id
      WHERE type LIKE $1 ORDER BY type, interface DESC, url`,
    [type],
  );
  return rows.map(({ line }) => line);
}

async function services(): Promise<string[]> {
  const rows: { type: string }[] = await dataSource.query('SELECT type FROM services ORDER BY 1');
  return rows.map(({ type }) => type);
}

const change = (set: string, type: string, one = 'public'): Promise<unknown> =>
  dataSource.query(
    `UPDATE endpoints SET ${set} FROM services
      WHERE services.id = service_id AND type = $1 AND interface = $2`,
    [type, one],
  );

const [NOVA, HEAT] = testConfig('postgres://127.0.0.1').services as [
  CatalogService,
  CatalogService,
];

const COMPUTE = [
  'compute public RegionOne http://compute.example/v2.1',
  'compute internal RegionOne http://compute.example/v2.1',
  'compute admin RegionOne http://compute.example/v2.1',
];

describe('the catalog of the settings', () => {
  it('has a service with three endpoints for each address', async () => {
    await start();
    expect(await dataSource.query('SELECT id FROM regions')).toEqual([{ id: 'RegionOne' }]);
    expect(await services()).toEqual(['compute', 'identity', 'orchestration']);
    expect(await endpoints('compute')).toEqual(COMPUTE);
    expect(await endpoints('orchestration')).toContain(
      'orchestration public RegionOne http://orchestration.example/v1/$(project_id)s',
    );
  });

  it('has identity at its public URL, or else at the URL of the request', async () => {
    await start({ publicUrl: 'https://cloud.example/identity' });
    expect(await endpoints('identity')).toContain(
      'identity public RegionOne https://cloud.example/identity/v3',
    );
    await start();
    expect(await endpoints('identity')).toContain(
      'identity public RegionOne $(public_endpoint)s/v3',
    );
  });

  it('writes nothing where nothing has changed', async () => {
    const versions = (): Promise<unknown> =>
      dataSource.query(
        `SELECT id, xmin FROM regions UNION ALL SELECT id, xmin FROM services
         UNION ALL SELECT id, xmin FROM endpoints ORDER BY 1`,
      );
    await start();
    const before = await versions();
    await start();
    expect(await versions()).toEqual(before);
  });

  it('follows a new address, with the same ids', async () => {
    const ids = (): Promise<unknown> => dataSource.query('SELECT id FROM endpoints ORDER BY 1');
    await start();
    const before = await ids();
    await start({ services: [{ ...NOVA, url: 'http://elsewhere.example/v2.1' }, HEAT] });
    expect(await endpoints('compute')).toEqual(
      COMPUTE.map((line) => line.replace('compute.example', 'elsewhere.example')),
    );
    expect(await ids()).toEqual(before);
  });

  it('keeps a URL that was changed since, until its setting changes too', async () => {
    await start();
    await change(`url = 'http://by.hand'`, 'compute');
    await start({ services: [NOVA, { ...HEAT, url: 'http://elsewhere.example' }] });
    expect(await endpoints('compute')).toContain('compute public RegionOne http://by.hand');
    await start({ services: [{ ...NOVA, url: 'http://elsewhere.example/v2.1' }, HEAT] });
    expect(await endpoints('compute')).toContain(
      'compute public RegionOne http://elsewhere.example/v2.1',
    );
  });

  it('keeps what else was changed since', async () => {
    await start();
    await change('enabled = false', 'compute');
    await dataSource.query(`UPDATE services SET name = 'mine', enabled = false`);
    await start({ services: [{ ...NOVA, url: 'http://elsewhere.example/v2.1' }, HEAT] });
    const changed: unknown[] = await dataSource.query(
      'SELECT FROM endpoints WHERE NOT endpoints.enabled',
    );
    expect(changed).toHaveLength(1);
    expect(await dataSource.query('SELECT DISTINCT name, enabled FROM services')).toEqual([
      { name: 'mine', enabled: false },
    ]);
  });

  it('makes again what was removed', async () => {
    await start();
    await dataSource.query('DELETE FROM services');
    await start();
    expect(await endpoints('compute')).toEqual(COMPUTE);
  });

  it('goes with its setting', async () => {
    await start();
    await start({ services: [HEAT] });
    expect(await services()).toEqual(['identity', 'orchestration']);
    expect(await endpoints('compute')).toEqual([]);
  });

  it('moves to another region with its setting, and leaves the former one', async () => {
    await start();
    await start({ region: 'North' });
    expect(await endpoints('compute')).toEqual(
      COMPUTE.map((line) => line.replace('RegionOne', 'North')),
    );
    expect(await dataSource.query('SELECT id FROM regions ORDER BY 1')).toEqual([
      { id: 'North' },
      { id: 'RegionOne' },
    ]);
  });
});

describe('what an administrator made', () => {
  it('stays, with a service of the settings too', async () => {
    await start();
    await dataSource.query(
      `INSERT INTO endpoints (id, service_id, interface, url)
       SELECT 'mine', id, 'public', 'http://mine.example' FROM services WHERE type = 'compute'`,
    );
    await dataSource.query(`INSERT INTO services (id, type) VALUES ('empty', 'mail')`);
    await start({ services: [HEAT] });
    expect(await endpoints('compute')).toEqual(['compute public http://mine.example']);
    expect(await services()).toEqual(['compute', 'identity', 'mail', 'orchestration']);
  });

  it('keeps a service that has registered limits', async () => {
    await start();
    await dataSource.query(
      `INSERT INTO registered_limits (id, service_id, resource_name, default_limit)
       SELECT 'mine', id, 'servers', 1 FROM services WHERE type = 'compute'`,
    );
    await start({ services: [HEAT] });
    expect(await services()).toContain('compute');
  });
});
