import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});
afterAll(() => compute.stop());

describe('what is not offered yet', () => {
  it.each(['', '/v2.1', '/v2.1/{project_id}'])('is so below the prefix "%s"', async (prefix) => {
    const path = `${prefix.replace('{project_id}', compute.projectId)}/os-server-groups`;
    const response = await compute.client.post(path, { token: compute.token, body: {} });
    const message =
      'Server groups: create a server group (POST /os-server-groups) is not supported.';
    expectError(response, 501, 'notImplemented', message);
  });
});

describe('what clients take for absent where it answers 404', () => {
  it.each(['/os-networks', '/os-tenant-networks', '/os-security-groups', '/os-floating-ips'])(
    'stays absent: %s',
    async (path) => {
      const response = await compute.client.get(path, { token: compute.token });
      expectError(response, 404, 'itemNotFound', `No operation GET ${path} exists.`);
    },
  );
});

it('leaves other methods of the same paths as they are', async () => {
  const { status } = await compute.client.put('/os-server-groups', {
    token: compute.token,
    body: {},
  });
  expect(status).toBe(405);
});
