/** That a service is one declaration: parcels are in no list but the one that this file gives. */
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestClient } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { startService } from '@cumulet/testing/start-service';
import { testService } from '@cumulet/testing/test-service';
import { parcelsService } from './parcels.fixture.js';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

describe('the parcels service alone', () => {
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

describe('the parcels service in the standalone cloud', () => {
  let cloud: TestCloud;
  let client: TestClient;
  let token: string;

  beforeAll(async () => {
    cloud = await startTestCloud([...SERVICES, parcelsService], { PARCELS_QUOTA: '1' });
    client = cloud.client;
    token = await cloud.login('demo', cloud.secrets.demoPassword);
  });
  afterAll(() => cloud.stop());

  it('creates, packs, lists, counts and deletes parcels', async () => {
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

  it('has its own page of documentation', async () => {
    const page = await client.get('/parcel/docs');
    expect([page.status, page.headers.get('Content-Type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    const { body } = await client.get('/parcel/docs-json');
    expect(Object.keys((body as { paths: object }).paths)).toContain('/v1/parcels/{parcel_id}');
  });

  it('is in the catalog', async () => {
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
