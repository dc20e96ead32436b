/** That a service is one declaration: parcels are in no list but the one that this file gives. */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { TestClient } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { startService } from '@cumulet/testing/start-service';
import { testService } from '@cumulet/testing/test-service';
import { startCloud, type Cloud } from './cloud.js';
import { parcelsService } from './parcels.fixture.js';
import { readSecrets, withKeys } from './secrets.js';
import { SERVICES } from './services.js';

describe('parcels alone', () => {
  testService(parcelsService, {
    start: (options) => startService(parcelsService, {}, options),
    open: [],
    examples: {
      parcel_id: async ({ client, settle }, token) => {
        const { body } = await client.post('/v1/parcels', { token, body: { name: 'one' } });
        await settle();
        return (body as { id: string }).id;
      },
    },
  });
});

describe('parcels in the standalone cloud', () => {
  const services = [...SERVICES, parcelsService];
  const databases = new Map<string, TestDatabase>();
  let folder: string;
  let cloud: Cloud;
  let client: TestClient;
  let token: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cumulet-parcels-'));
    for (const service of services) databases.set(service.name, await createTestDatabase(service));
    const secrets = await withKeys(await readSecrets(folder), folder, services, {});
    cloud = await startCloud({
      services,
      dataDir: folder,
      listenHost: '127.0.0.1',
      port: 0,
      publicUrl: undefined,
      servicePorts: false,
      secrets,
      env: { COMPUTE_HYPERVISOR: 'simulated', IMAGES_STORE: 'memory', PARCELS_QUOTA: '1' },
      logger: (name) => createLogger(name, 'silent'),
      databaseUrl: (name) => databases.get(name)?.url ?? '',
    });
    client = new TestClient(cloud.url);
    token = await loggedIn(secrets.demoPassword);
  });
  afterAll(async () => {
    await cloud.stop();
    for (const database of databases.values()) await database.drop();
    await rm(folder, { recursive: true });
  });

  async function loggedIn(password: string): Promise<string> {
    const domain = { id: 'default' };
    const identity = {
      methods: ['password'],
      password: { user: { name: 'demo', domain, password } },
    };
    const scope = { project: { name: 'demo', domain } };
    const body = { auth: { identity, scope } };
    const { headers } = await client.post('/identity/v3/auth/tokens', { body });
    return headers.get('X-Subject-Token') ?? '';
  }

  it('are created, packed, listed, counted and removed', async () => {
    const create = (name: string) => client.post('/parcel/v1/parcels', { token, body: { name } });
    const created = await create('shoes');
    expect([created.status, created.body]).toMatchObject([202, { name: 'shoes' }]);
    const { id } = created.body as { id: string };
    const url = `/parcel/v1/parcels/${id}`;
    const state = async (): Promise<unknown> =>
      ((await client.get(url, { token })).body as { state?: string }).state;
    await eventually('it is packed', async () => (await state()) === 'packed');
    const { body: list } = await client.get('/parcel/v1/parcels?name=shoes', { token });
    expect(list).toEqual({
      parcels: [expect.objectContaining({ id, name: 'shoes', state: 'packed' })],
    });
    expect((await create('more')).status).toBe(413);
    expect((await client.delete(url, { token })).status).toBe(202);
    await eventually('it is gone', async () => (await client.get(url, { token })).status === 404);
  });

  it('have a page of their own that documents them', async () => {
    const page = await client.get('/parcel/docs');
    expect([page.status, page.headers.get('Content-Type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    const { body } = await client.get('/parcel/docs-json');
    expect(Object.keys((body as { paths: object }).paths)).toContain('/v1/parcels/{parcel_id}');
  });

  it('stand in the catalog', async () => {
    const { body } = await client.get('/identity/v3/auth/catalog', { token });
    expect((body as { catalog: unknown }).catalog).toContainEqual(
      expect.objectContaining({
        type: 'parcel',
        endpoints: expect.arrayContaining([
          expect.objectContaining({ interface: 'public', url: `${cloud.url}/parcel` }),
        ]),
      }),
    );
  });
});
