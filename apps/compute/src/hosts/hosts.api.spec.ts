import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';
import { addHost } from './hosts.fixture.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
  await addHost(compute.ctx, 'other');
});
afterAll(() => compute.stop());

const at = (minor = 42) => ({
  token: admin,
  headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
});
const get = (path = '', minor?: number): Promise<TestResponse> =>
  compute.client.get(`/os-hosts${path}`, at(minor));
const put = (host: string, body: object, minor?: number): Promise<TestResponse> =>
  compute.client.put(`/os-hosts/${host}`, { ...at(minor), body });

const row = (host_name: string) => ({ host_name, service: 'compute', zone: 'nova' });
const parts = ['scheduler', 'conductor'].map((service) => ({
  host_name: 'host-1',
  service,
  zone: 'internal',
}));

describe('hosts until 2.42', () => {
  it('are listed while they are enabled', async () => {
    expect((await get()).body).toEqual({ hosts: [row('host-1'), row('other'), ...parts] });
    expect((await get('?zone=east')).body).toEqual({ hosts: [] });
    expect((await get('?zone=internal')).body).toEqual({ hosts: parts });
    expect((await put('other', { status: 'Disable' })).body).toEqual({
      host: 'other',
      status: 'disabled',
    });
    expect((await get('?zone=nova')).body).toEqual({ hosts: [row('host-1')] });
    expect((await put('other', { status: 'enable' })).body).toMatchObject({ status: 'enabled' });
    expect((await get()).body).toEqual({ hosts: [row('host-1'), row('other'), ...parts] });
  });

  it('show their resources and usage', async () => {
    await compute.buildServer();
    const of = (project: string, cpu: number, memory_mb: number, disk_gb: number) => ({
      resource: { host: 'host-1', project, cpu, memory_mb, disk_gb },
    });
    expect((await get('/host-1')).body).toEqual({
      host: [
        of('(total)', 64, 262_144, 4096),
        of('(used_now)', 1, 1024, 1),
        of('(used_max)', 1, 512, 1),
        of(compute.projectId, 1, 512, 1),
      ],
    });
    const { host } = (await get('/other')).body as { host: object[] };
    expect(host).toHaveLength(3);
  });

  it('refuse unknown properties', async () => {
    const unknown = 'Compute host nowhere could not be found.';
    expectError(await get('/nowhere'), 404, 'itemNotFound', unknown);
    expectError(await put('nowhere', { status: 'enable' }), 404, 'itemNotFound', unknown);
    expectError(
      await put('other', {}),
      400,
      'badRequest',
      /status or maintenance_mode is required/,
    );
    expectError(await put('other', { status: 'on' }), 400, 'badRequest', /status must be one of/);
    expectError(
      await put('other', { maintenance_mode: 'enable' }),
      501,
      'notImplemented',
      'The maintenance mode of hosts is not supported.',
    );
    expectError(await put('nowhere', { maintenance_mode: 'enable' }), 404, 'itemNotFound', unknown);
  });

  it('are not disabled by a request that also sets maintenance', async () => {
    const both = { status: 'disable', maintenance_mode: 'enable' };
    expect((await put('other', both)).status).toBe(501);
    expect((await get()).body).toEqual({ hosts: [row('host-1'), row('other'), ...parts] });
  });

  it.each([
    ['startup', 'Starting a host is not supported.'],
    ['shutdown', 'Shutting a host down is not supported.'],
    ['reboot', 'Rebooting a host is not supported.'],
  ])(
    'do not support %s, which is refused after role and host are checked',
    async (action, message) => {
      expectError(await get(`/other/${action}`), 501, 'notImplemented', message);
      const unknown = 'Compute host nowhere could not be found.';
      expectError(await get(`/nowhere/${action}`), 404, 'itemNotFound', unknown);
      const { token } = compute;
      expect((await compute.client.get(`/os-hosts/other/${action}`, { token })).status).toBe(403);
      expect((await get(`/other/${action}`, 43)).status).toBe(404);
    },
  );
});

it('hosts are absent since 2.43', async () => {
  expectError(await get('', 43), 404, 'itemNotFound', 'No operation GET /os-hosts exists.');
  expect((await get('/host-1', 43)).status).toBe(404);
  expect((await put('other', { status: 'enable' }, 43)).status).toBe(404);
});
