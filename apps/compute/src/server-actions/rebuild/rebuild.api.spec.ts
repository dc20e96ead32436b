import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(() => compute.stop());

beforeEach(async () => {
  await compute.deleteServers();
  compute.networks.clear();
  id = await compute.buildServer();
});

const rebuild = (body: object, minor = 79): Promise<TestResponse> =>
  compute.client.post(`/servers/${id}/action`, {
    token: compute.token,
    body: { rebuild: { imageRef: compute.images.bootable, ...body } },
    headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
  });

async function rebuilt(body: object = {}, minor = 79): Promise<Record<string, unknown>> {
  const response = await rebuild(body, minor);
  if (response.status !== 202) throw new Error(response.text);
  await compute.settle();
  return (response.body as { server: Record<string, unknown> }).server;
}

const stop = async (): Promise<void> => {
  await compute.client.post(`/servers/${id}/action`, {
    token: compute.token,
    body: { 'os-stop': null },
  });
  await compute.settle();
};

const guest = () => compute.hypervisor.world.guest(id);
const metaData = (): unknown => guest().startedWith?.configDrive?.metaData;

const ADDRESS = { version: 4, addr: '10.0.0.2' };
const EXTENDED_ADDRESS = {
  ...ADDRESS,
  'OS-EXT-IPS:type': 'fixed',
  'OS-EXT-IPS-MAC:mac_addr': expect.any(String),
};

describe('a rebuild', () => {
  it('answers with the server, and its new password', async () => {
    const server = await rebuilt({ adminPass: 'new-horse' });
    expect(server).toMatchObject({ id, status: 'REBUILD', adminPass: 'new-horse' });
    expect(metaData()).toMatchObject({ admin_pass: 'new-horse' });
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it.each([
    [53, [], [ADDRESS]],
    [54, ['key_name'], [ADDRESS]],
    [57, ['key_name', 'user_data'], [ADDRESS]],
    [75, ['key_name', 'user_data'], [EXTENDED_ADDRESS]],
  ])('answers at 2.%i with the fields of that microversion', async (minor, fields, addresses) => {
    const { id: network } = compute.networks.add({ name: 'inner', projectId: compute.projectId });
    const before = { name: 'web', imageRef: compute.images.bootable, flavorRef: '1' };
    const body = { server: { ...before, networks: [{ uuid: network }] } };
    const created = await compute.client.post('/servers', { token: compute.token, body });
    id = (created.body as { server: { id: string } }).server.id;
    await compute.settle();
    const server = await rebuilt({}, minor);
    const varying = ['key_name', 'user_data'];
    expect(
      Object.keys(server)
        .filter((name) => varying.includes(name))
        .sort(),
    ).toEqual(fields);
    expect(server['addresses']).toEqual({ inner: addresses });
  });

  it('tells administrators its user data once', async () => {
    const token = await compute.tokens.issue(['admin']);
    const response = await compute.client.post(`/servers/${id}/action`, {
      token,
      body: { rebuild: { imageRef: compute.images.bootable, user_data: 'aGk=' } },
      headers: { 'OpenStack-API-Version': 'compute 2.75' },
    });
    await compute.settle();
    const { server } = response.body as { server: Record<string, unknown> };
    const names = Object.keys(server).filter((name) => name.endsWith('user_data'));
    expect([names, server['user_data']]).toEqual([['user_data'], 'aGk=']);
  });

  it('generates a password if none is given', async () => {
    const { adminPass } = await rebuilt();
    expect(metaData()).toMatchObject({ admin_pass: adminPass });
  });

  it('makes a new disk, once its image is there', async () => {
    const before = guest().disk;
    const hold = compute.hypervisor.hold('ensureDisk');
    expect((await rebuild({})).status).toBe(202);
    await hold.reached;
    expect(guest().disk).toBeUndefined();
    hold.release();
    await compute.settle();
    expect(guest().disk).toEqual(before);
    expect(guest()).toMatchObject({ state: 'running', starts: 2 });
  });

  it('leaves a server off that was off', async () => {
    await stop();
    await rebuilt();
    expect(await compute.show(id)).toMatchObject({ status: 'SHUTOFF' });
    expect(guest()).toMatchObject({ state: 'absent', starts: 1 });
  });

  it('changes named properties, and keeps the rest', async () => {
    const before = await compute.show(id);
    await rebuilt({
      name: 'anew',
      description: 'once more',
      metadata: { role: 'db' },
      user_data: 'IyEvYmluL3No',
    });
    expect(await compute.show(id)).toMatchObject({
      name: 'anew',
      metadata: { role: 'db' },
      created: before['created'],
      flavor: before['flavor'],
    });
    expect(guest().startedWith?.configDrive).toMatchObject({ userData: 'IyEvYmluL3No' });
    await rebuilt();
    expect(await compute.show(id)).toMatchObject({ name: 'anew', metadata: { role: 'db' } });
    await rebuilt({ user_data: null });
    expect(guest().startedWith?.configDrive?.userData).toBeUndefined();
  });

  it('repairs a server in error', async () => {
    await stop();
    compute.hypervisor.failNext('ensureRunning', new HypervisorError('capacity', 'No memory.'));
    await compute.client.post(`/servers/${id}/action`, {
      token: compute.token,
      body: { 'os-start': null },
    });
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'ERROR' });
    await rebuilt();
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it.each(['discardDisk', 'ensureDisk', 'ensureRunning'] as const)(
    'that fails at %s is an error with its reason, and can be tried again',
    async (method) => {
      compute.hypervisor.failNext(method, new HypervisorError('capacity', 'No room.'));
      await rebuilt();
      expect(await compute.show(id)).toMatchObject({
        status: 'ERROR',
        fault: { message: 'No room.' },
      });
      await rebuilt();
      expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    },
  );
});

describe('a rebuild is refused', () => {
  it.each([
    ['an image that does not exist', { imageRef: '7f6f3a1c-0000-4000-8000-000000000000' }, 79],
    ['no image', { imageRef: undefined }, 79],
    ['a name with control characters', { name: 'a\u0007b' }, 79],
    ['a key pair that the user does not have', { key_name: 'nobody' }, 79],
    ['a key pair before 2.54', { key_name: 'nobody' }, 53],
    ['user data before 2.57', { user_data: 'IyEvYmluL3No' }, 56],
    ['a description before 2.19', { description: 'x' }, 18],
    ['a host name before 2.90', { hostname: 'web' }, 89],
    ['files since 2.57', { personality: [{ path: '/a', contents: 'YQ==' }] }, 57],
    ['to keep ephemeral disks', { preserve_ephemeral: true }, 79],
    ['a property that it does not know', { flavorRef: '2' }, 79],
  ])('with %s', async (_, body, minor) => {
    const response = await rebuild(body, minor);
    expect([response.status, Object.keys(response.body as object)]).toEqual([400, ['badRequest']]);
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', name: 'web-1' });
    expect(guest()).toMatchObject({ starts: 1 });
  });

  it('while the server is paused', async () => {
    await compute.client.post(`/servers/${id}/action`, {
      token: compute.token,
      body: { pause: null },
    });
    await compute.settle();
    const response = await rebuild({});
    expect([response.status, response.body]).toEqual([
      409,
      {
        conflictingRequest: {
          code: 409,
          message: `Cannot 'rebuild' instance ${id} while it is in vm_state paused`,
        },
      },
    ]);
  });
});
