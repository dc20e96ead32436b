import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  id = await compute.buildServer();
});
afterAll(() => compute.stop());

function send(method: string, rest = '', body?: object, server = id): Promise<TestResponse> {
  const headers = { 'OpenStack-API-Version': 'compute 2.26' };
  const { token } = compute;
  return compute.client.send(method, `/servers/${server}/tags${rest}`, { token, body, headers });
}

const listed = async (): Promise<unknown> => (await send('GET')).body;

beforeEach(async () => {
  await send('PUT', '', { tags: ['red', 'blue', 'red'] });
});

describe("a server's tags", () => {
  it('are a set, which is replaced as a whole', async () => {
    expect(await listed()).toEqual({ tags: ['blue', 'red'] });
  });

  it('are checked one by one', async () => {
    const there = await send('GET', '/blue');
    expect([there.status, there.text]).toEqual([204, '']);
    const message = `Server ${id} has no tag 'green'`;
    expectError(await send('GET', '/green'), 404, 'itemNotFound', message);
  });

  it('are added one by one: 201 with the address, and 204 the second time', async () => {
    const added = await send('PUT', '/green');
    expect([added.status, added.text]).toEqual([201, '']);
    expect(added.headers.get('location')).toMatch(new RegExp(`/servers/${id}/tags/green$`));
    expect((await send('PUT', '/green')).status).toBe(204);
    expect(await listed()).toEqual({ tags: ['blue', 'green', 'red'] });
  });

  it('are deleted one by one', async () => {
    expect((await send('DELETE', '/red')).status).toBe(204);
    expect(await listed()).toEqual({ tags: ['blue'] });
    const message = `Server ${id} has no tag 'red'`;
    expectError(await send('DELETE', '/red'), 404, 'itemNotFound', message);
  });

  it('are deleted all at once', async () => {
    expect((await send('DELETE')).status).toBe(204);
    expect(await listed()).toEqual({ tags: [] });
  });

  it('are at most fifty', async () => {
    const tags = Array.from({ length: 50 }, (_, at) => `t${at}`);
    expect((await send('PUT', '', { tags: [...tags, 'more'] })).status).toBe(400);
    expect((await send('PUT', '', { tags })).status).toBe(200);
    const message = 'The number of tags exceeded the per-server limit 50';
    expectError(await send('PUT', '/more'), 400, 'badRequest', message);
  });

  it.each([
    ['of 61 characters', 'x'.repeat(61)],
    ['with a comma', 'a,b'],
  ])('are refused %s', async (_, tag) => {
    expectError(await send('PUT', `/${tag}`), 400, 'badRequest', /^Tag '.*' is invalid/);
    expect((await send('PUT', '', { tags: [tag] })).status).toBe(400);
    expect(await listed()).toEqual({ tags: ['blue', 'red'] });
  });

  it('came with 2.26', async () => {
    const response = await compute.client.get(`/servers/${id}/tags`, { token: compute.token });
    const message = 'API version 2.1 is not supported on this method.';
    expectError(response, 404, 'itemNotFound', message);
  });

  it('cannot be changed for a server in error', async () => {
    await compute.app.dataSource.query(`UPDATE servers SET state = 'error' WHERE id = $1`, [id]);
    expectError(
      await send('PUT', '/x'),
      409,
      'conflictingRequest',
      `Cannot 'update tag' instance ${id} while it is in vm_state error`,
    );
    await compute.app.dataSource.query(`UPDATE servers SET state = 'active' WHERE id = $1`, [id]);
  });
});
