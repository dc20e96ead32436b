import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, unknownId, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
});
afterAll(() => compute.stop());

const ask = (id: string, token = admin): Promise<TestResponse> =>
  compute.client.get(`/servers/${id}/diagnostics`, {
    token,
    headers: { 'OpenStack-API-Version': 'compute 2.48' },
  });

it('only administrators read diagnostics', async () => {
  const id = await compute.buildServer();
  expect((await ask(id, compute.token)).status).toBe(403);
  expect((await ask(id)).status).toBe(200);
  expect((await ask(unknownId())).status).toBe(404);
});

it('a server that does not run has none', async () => {
  const id = await compute.buildServer();
  const body = { 'os-stop': null };
  await compute.client.post(`/servers/${id}/action`, { token: compute.token, body });
  await compute.settle();
  const message = `Cannot 'get_diagnostics' instance ${id} while it is in vm_state stopped`;
  expectError(await ask(id), 409, 'conflictingRequest', message);
});
