import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});
afterAll(() => compute.stop());

const get = (path: string) => compute.client.get(path, { token: compute.token });

it('lists extensions, and shows each of them by its alias', async () => {
  const { extensions } = (await get('/extensions')).body as { extensions: { alias: string }[] };
  expect(extensions.map(({ alias }) => alias)).toContain('os-server-groups');
  for (const extension of extensions.slice(0, 3))
    expect((await get(`/extensions/${extension.alias}`)).body).toEqual({ extension });
});

it('does not list those that Nova has withdrawn', async () => {
  const { extensions } = (await get('/extensions')).body as { extensions: { alias: string }[] };
  expect(extensions.map(({ alias }) => alias)).not.toContain('os-cells');
});

it.each(['os-unknown', 'toString'])('does not know an extension %s', async (alias) => {
  const message = `No extension ${alias} exists.`;
  expectError(await get(`/extensions/${alias}`), 404, 'itemNotFound', message);
});
