import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';

let compute: ComputeFixture;
let id: string;
let path: string;
let token: string;

beforeAll(async () => {
  compute = await startCompute();
  ({ token } = compute);
  id = await compute.buildServer();
  path = `/servers/${id}/metadata`;
});
afterAll(() => compute.stop());

beforeEach(async () => {
  await compute.client.put(path, { token, body: { metadata: { a: '1', b: '2' } } });
});

const listed = async (): Promise<unknown> => (await compute.client.get(path, { token })).body;

describe("a server's metadata", () => {
  it('is listed, and shown by key', async () => {
    expect(await listed()).toEqual({ metadata: { a: '1', b: '2' } });
    const item = await compute.client.get(`${path}/a`, { token });
    expect([item.status, item.body]).toEqual([200, { meta: { a: '1' } }]);
  });

  it('is extended, and items of the same keys are replaced', async () => {
    const added = await compute.client.post(path, {
      token,
      body: { metadata: { b: '3', c: '4' } },
    });
    expect([added.status, added.body]).toEqual([200, { metadata: { a: '1', b: '3', c: '4' } }]);
    expect(await listed()).toEqual(added.body);
  });

  it('is replaced as a whole', async () => {
    const replaced = await compute.client.put(path, { token, body: { metadata: { z: '' } } });
    expect([replaced.status, replaced.body]).toEqual([200, { metadata: { z: '' } }]);
    expect(await listed()).toEqual({ metadata: { z: '' } });
  });

  it('is set by key', async () => {
    const set = await compute.client.put(`${path}/c d`, { token, body: { meta: { 'c d': '5' } } });
    expect([set.status, set.body]).toEqual([200, { meta: { 'c d': '5' } }]);
    expect(await listed()).toEqual({ metadata: { a: '1', b: '2', 'c d': '5' } });
  });

  it('is deleted by key', async () => {
    expect((await compute.client.delete(`${path}/a`, { token })).status).toBe(204);
    expect(await listed()).toEqual({ metadata: { b: '2' } });
    expectError(
      await compute.client.delete(`${path}/a`, { token }),
      404,
      'itemNotFound',
      'Metadata item was not found',
    );
  });

  it('has no key that every object has', async () => {
    expect((await compute.client.get(`${path}/constructor`, { token })).status).toBe(404);
  });

  it('is shown with the server, whose time of change it sets', async () => {
    const before = await compute.show(id);
    await compute.app.dataSource.query(
      `UPDATE servers SET updated_at = '2020-01-01', state_since = '2020-01-01' WHERE id = $1`,
      [id],
    );
    await compute.client.put(path, { token, body: { metadata: { new: '1' } } });
    const shown = await compute.show(id);
    expect(shown['metadata']).toEqual({ new: '1' });
    expect(String(shown['updated']) >= String(before['updated'])).toBe(true);
  });

  it('keeps both of two changes at the same time', async () => {
    const keys = Array.from({ length: 8 }, (_, at) => `k${at}`);
    const set = (key: string) =>
      compute.client.put(`${path}/${key}`, { token, body: { meta: { [key]: 'x' } } });
    const answers = await Promise.all(keys.map(set));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const { metadata } = (await listed()) as { metadata: object };
    expect(Object.keys(metadata).sort()).toEqual(['a', 'b', ...keys]);
  });

  it.each([
    ['a key of 256 characters', { ['k'.repeat(256)]: 'x' }],
    ['an empty key', { '': 'x' }],
    ['a key with a slash', { 'a/b': 'x' }],
    ['a value of 256 characters', { a: 'v'.repeat(256) }],
    ['a value that is no text', { a: 5 }],
    ['null', null],
    ['a list', ['a']],
  ])('refuses %s, and is unchanged', async (_, metadata) => {
    for (const method of ['POST', 'PUT'])
      expect((await compute.client.send(method, path, { token, body: { metadata } })).status).toBe(
        400,
      );
    expect(await listed()).toEqual({ metadata: { a: '1', b: '2' } });
  });

  it.each([
    ['another key than the path', { meta: { b: '1' } }, 'Request body and URI mismatch'],
    ['two items', { meta: { a: '1', b: '1' } }, /meta must be an object of one string/],
    ['no item', { meta: {} }, /meta must be an object of one string/],
  ])('refuses %s', async (_, body, message) => {
    const response = await compute.client.put(`${path}/a`, { token, body });
    expectError(response, 400, 'badRequest', message);
  });

  it('has at most as many items as the quota allows', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 129 }, (_, at) => [`k${at}`, '']));
    expectError(
      await compute.client.post(path, { token, body: { metadata } }),
      403,
      'forbidden',
      'Quota exceeded for metadata_items: requested 131, a request may have 128',
    );
    expect(await listed()).toEqual({ metadata: { a: '1', b: '2' } });
  });

  it('is not changed while the server is being built', async () => {
    const hold = compute.hypervisor.hold('ensureRunning');
    const created = await compute.createServer();
    const building = (created.body as { server: { id: string } }).server.id;
    await hold.reached;
    const body = { metadata: {} };
    const response = await compute.client.put(`/servers/${building}/metadata`, { token, body });
    hold.release();
    await compute.settle();
    expectError(
      response,
      409,
      'conflictingRequest',
      `Cannot 'update metadata' instance ${building} while it is in vm_state building`,
    );
  });

  it("of another project's server does not exist", async () => {
    const other = await compute.tokens.issue(['member'], { projectId: newId() });
    const message = `Instance ${id} could not be found.`;
    const get = await compute.client.get(path, { token: other });
    expectError(get, 404, 'itemNotFound', message);
    const put = await compute.client.put(path, { token: other, body: { metadata: {} } });
    expectError(put, 404, 'itemNotFound', message);
  });
});
