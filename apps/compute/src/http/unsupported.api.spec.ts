import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});
afterAll(() => compute.stop());

describe('an unsupported operation', () => {
  it.each(['', '/v2.1', '/v2.1/{project_id}'])(
    'is refused by name below the prefix "%s"',
    async (prefix) => {
      const path = `${prefix.replace('{project_id}', compute.projectId)}/servers/1/os-volume_attachments`;
      const response = await compute.client.get(path, { token: compute.token });
      const message =
        'Volume attachments: list volumes (GET /servers/{server_id}/os-volume_attachments) is not supported.';
      expectError(response, 501, 'notImplemented', message);
    },
  );
});

describe("a proxy of Nova's for another service", () => {
  it.each([
    '/images',
    '/os-networks',
    '/os-tenant-networks',
    '/os-security-groups',
    '/os-floating-ips',
    '/os-floating-ip-pools',
    '/os-volumes',
    '/os-snapshots',
    '/os-baremetal-nodes',
  ])('is absent since 2.36: %s', async (path) => {
    const headers = { 'OpenStack-API-Version': 'compute 2.36' };
    const response = await compute.client.get(path, { token: compute.token, headers });
    const message = 'API version 2.36 is not supported on this method.';
    expectError(response, 404, 'itemNotFound', message);
  });

  it('is not supported for volumes', async () => {
    const response = await compute.client.get('/os-volumes', { token: compute.token });
    const message = 'Volumes: list volumes (GET /os-volumes) is not supported.';
    expectError(response, 501, 'notImplemented', message);
  });

  it('serves metadata of images until 2.38', async () => {
    const path = '/images/11111111-1111-4111-8111-111111111111/metadata';
    const headers = { 'OpenStack-API-Version': 'compute 2.39' };
    expect((await compute.client.get(path, { token: compute.token, headers })).status).toBe(404);
  });
});

describe('an operation that Nova has withdrawn', () => {
  it.each([
    ['GET', '/os-cells', 'Cells: list cells (GET /os-cells)'],
    ['POST', '/os-certificates', 'Certificates: create a certificate (POST /os-certificates)'],
    ['GET', '/os-fping', 'Ping: ping servers (GET /os-fping)'],
    ['GET', '/os-agents', 'Agent builds: list builds (GET /os-agents)'],
    ['POST', '/os-networks', 'Networks of nova-network: create a network (POST /os-networks)'],
  ])('is gone: %s %s', async (method, path, operation) => {
    const body = method === 'POST' ? {} : undefined;
    const response = await compute.client.send(method, path, { token: compute.token, body });
    expectError(response, 410, 'gone', `${operation} has been withdrawn from Nova.`);
  });
});

it('leaves other methods of the same paths as they are', async () => {
  const { status } = await compute.client.put('/os-server-groups', {
    token: compute.token,
    body: {},
  });
  expect(status).toBe(405);
});
