import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(async () => {
  await compute.stop();
});

const fault = (message: string) => ({ badRequest: { code: 400, message } });

describe('creating a server', () => {
  it('answers 202 at once, and shows the password only now', async () => {
    const response = await compute.createServer();
    expect(response.status).toBe(202);
    const { server } = response.body as { server: Record<string, unknown> };
    expect(server).toEqual({
      id: expect.any(String),
      adminPass: expect.stringMatching(/^\S{12}$/),
      'OS-DCF:diskConfig': 'MANUAL',
      security_groups: [{ name: 'default' }],
      links: [
        { rel: 'self', href: `${compute.client.baseUrl}/v2.1/servers/${String(server['id'])}` },
        { rel: 'bookmark', href: `${compute.client.baseUrl}/servers/${String(server['id'])}` },
      ],
    });
    expect(response.headers.get('location')).toBe(
      `${compute.client.baseUrl}/v2.1/servers/${String(server['id'])}`,
    );
    await compute.settle();
  });

  it('builds it on the host until it is ACTIVE', async () => {
    const id = await compute.buildServer({ name: 'My Web', metadata: { role: 'web' } });
    expect(await compute.show(id)).toMatchObject({
      status: 'ACTIVE',
      name: 'My Web',
      tenant_id: compute.projectId,
      metadata: { role: 'web' },
      progress: 100,
      'OS-EXT-STS:vm_state': 'active',
      'OS-EXT-STS:task_state': null,
      'OS-EXT-STS:power_state': 1,
    });
    expect(await compute.hypervisor.machines.state(id)).toBe('running');
  });

  it('gives the guest its name, its metadata and its user data', async () => {
    const user_data = Buffer.from('#!/bin/sh\n').toString('base64');
    const id = await compute.buildServer({
      name: 'My Web',
      metadata: { a: 'b' },
      user_data,
      adminPass: 'horse',
    });
    expect(compute.hypervisor.world.guests.get(id)?.startedWith?.configDrive).toEqual({
      userData: user_data,
      files: [],
      metaData: expect.objectContaining({
        uuid: id,
        name: 'My Web',
        hostname: 'my-web',
        project_id: compute.projectId,
        meta: { a: 'b' },
        admin_pass: 'horse',
      }),
    });
  });

  it('forgets the password once the guest has it', async () => {
    const id = await compute.buildServer();
    const rows: unknown = await compute.app.dataSource.query(
      'SELECT admin_password FROM servers WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ admin_password: null }]);
  });

  it('creates several with numbered names', async () => {
    const response = await compute.createServer({
      name: 'many',
      min_count: 2,
      return_reservation_id: true,
    });
    const { reservation_id } = response.body as { reservation_id: string };
    await compute.settle();
    const list = await compute.client.get(
      `/servers/detail?reservation_id=${reservation_id}&sort_key=display_name&sort_dir=asc`,
      {
        token: compute.token,
      },
    );
    const { servers } = list.body as { servers: { id: string; name: string; status: string }[] };
    expect(servers.map(({ name, status }) => [name, status])).toEqual([
      ['many-1', 'ACTIVE'],
      ['many-2', 'ACTIVE'],
    ]);
    for (const { id } of servers)
      await compute.client.delete(`/servers/${id}`, { token: compute.token });
    await compute.settle();
  });

  it.each([
    [
      'an unknown image',
      { imageRef: '11111111-1111-4111-8111-111111111111' },
      'Image 11111111-1111-4111-8111-111111111111 cannot be used: it does not exist.',
    ],
    [
      'an image that is no UUID',
      { imageRef: 'cirros' },
      'Invalid input: server.imageRef must be a UUID.',
    ],
    [
      'an unknown flavor',
      { flavorRef: 'huge' },
      'server.flavorRef: Flavor huge could not be found.',
    ],
    [
      'a name of 256 characters',
      { name: 'x'.repeat(256) },
      'Invalid input: server.name must be shorter than or equal to 255 characters.',
    ],
    ['a name that is a number', { name: 5 }, 'Invalid input: server.name must be a string.'],
    ...['  ', 'a\u0007b', 'a\nb', '\u2028'].map((name): [string, object, string] => [
      `the name ${JSON.stringify(name)}`,
      { name },
      'Invalid input: server.name must hold printable characters, and neither begin nor end with a space.',
    ]),
    [
      'an unknown property',
      { colour: 'red' },
      'Invalid input: server.colour is not a property that this operation knows.',
    ],
    [
      'metadata that is no object',
      { metadata: 'x' },
      "Invalid input: server.metadata must be an object of strings of at most 255 characters, whose keys are 1 to 255 letters, digits, spaces and '-_:.'.",
    ],
    [
      'user data that is not base64',
      { user_data: '%%%' },
      'Invalid input: server.user_data must be base64 of at most 65535 bytes.',
    ],
    [
      'a network',
      { networks: [{ uuid: 'a' }] },
      'Bad networks format: network uuid is not in proper format (a)',
    ],
    ['a key pair', { key_name: 'mine' }, 'Invalid key_name provided: mine'],
    [
      'more at least than at most',
      { min_count: 3, max_count: 2 },
      'Invalid input: server.min_count 3 must not be greater than server.max_count 2.',
    ],
    [
      'a description before 2.19',
      { description: 'x' },
      'Invalid input: server.description came with microversion 2.19; the request is for 2.1.',
    ],
  ])('refuses %s and leaves nothing behind', async (_, server, message) => {
    const before = await countServers();
    const response = await compute.createServer(server);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(
      typeof message === 'string'
        ? fault(message)
        : { badRequest: { code: 400, message: expect.stringMatching(message) } },
    );
    expect(await countServers()).toBe(before);
  });

  it.each([
    ['is not active', { status: 'queued' }, /it is queued, not active/],
    ['has no hash', { sha512: undefined }, /it has no disk_format, size or hash/],
    [
      'has a format that does not boot',
      { diskFormat: 'iso' },
      /its disk_format is iso, not one of raw, qcow2, ami/,
    ],
    [
      'needs more memory',
      { minMemoryMb: 1024 },
      /Flavor's memory is too small for requested image: 512 MB, where its min_ram is 1024 MB/,
    ],
    [
      'needs a larger disk',
      { minDiskGb: 5 },
      /Flavor's disk is too small for requested image: 1 GB, where its min_disk is 5 GB/,
    ],
  ])('refuses an image that %s', async (_, facts, message) => {
    const response = await compute.createServer({ imageRef: compute.images.add(facts) });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      badRequest: { message: expect.stringMatching(message) },
    });
  });

  it('needs networks since microversion 2.37', async () => {
    const response = await compute.client.post('/servers', {
      token: compute.token,
      headers: { 'OpenStack-API-Version': 'compute 2.37' },
      body: { server: { name: 'x', imageRef: compute.images.bootable, flavorRef: '1' } },
    });
    expect(response.body).toEqual(
      fault(
        "Invalid input: server.networks is required since microversion 2.37: 'none', 'auto' or a list.",
      ),
    );
  });
});

describe('a server that cannot be built', () => {
  it("ends in ERROR with the driver's message, and leaves nothing on the host", async () => {
    compute.hypervisor.failNext(
      'ensureDisk',
      new HypervisorError('bad-image', 'The image is larger than the disk.'),
    );
    const id = await compute.buildServer();
    expect(await compute.show(id)).toMatchObject({
      status: 'ERROR',
      'OS-EXT-STS:vm_state': 'error',
      fault: {
        message: 'The image is larger than the disk.',
        code: 500,
        created: expect.stringMatching(/Z$/),
      },
    });
    expect(await compute.hypervisor.guests.list()).not.toContain(id);
  });

  it('is retried while the failure may pass', async () => {
    compute.hypervisor.failNext('ensureRunning', new HypervisorError('transient', 'Not now.'), 2);
    const id = await compute.buildServer();
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('names the image that has no boot sector', async () => {
    const id = await compute.buildServer({ imageRef: compute.images.add({}, Buffer.alloc(512)) });
    expect(await compute.show(id)).toMatchObject({
      status: 'ERROR',
      fault: { message: expect.stringMatching(/boot sector/) },
    });
  });

  it('says which filter refused how many hosts', async () => {
    const token = await compute.tokens.issue(['member']);
    const response = await compute.createServer({ flavorRef: '5' }, token);
    expect(response.status).toBe(202);
    await compute.settle();
    const { id } = (response.body as { server: { id: string } }).server;
    expect(await compute.show(id, token)).toMatchObject({ status: 'ACTIVE' });

    const small = await startCompute({ config: { reservedMemoryMb: 262_000 } });
    try {
      const refused = await small.buildServer();
      expect(await small.show(refused)).toMatchObject({
        status: 'ERROR',
        fault: {
          message:
            'No valid host was found: RamFilter refused 1 of 1 (512 MB asked for, at most 144 MB free).',
        },
      });
    } finally {
      await small.stop();
    }
  });

  it('can be deleted', async () => {
    compute.hypervisor.failNext('ensureDisk', new HypervisorError('bad-image', 'No.'));
    const id = await compute.buildServer();
    expect((await compute.client.delete(`/servers/${id}`, { token: compute.token })).status).toBe(
      204,
    );
    await compute.settle();
    expect((await compute.client.get(`/servers/${id}`, { token: compute.token })).status).toBe(404);
  });
});

describe('deleting a server', () => {
  it('removes the guest and the row', async () => {
    const id = await compute.buildServer();
    const response = await compute.client.delete(`/servers/${id}`, { token: compute.token });
    expect([response.status, response.text]).toEqual([204, '']);
    await compute.settle();
    expect((await compute.client.get(`/servers/${id}`, { token: compute.token })).status).toBe(404);
    expect(await compute.hypervisor.guests.list()).not.toContain(id);
  });

  it('is also answered while it is being built, and then ends the build', async () => {
    const hold = compute.hypervisor.hold('ensureRunning');
    const created = await compute.createServer();
    const { id } = (created.body as { server: { id: string } }).server;
    await hold.reached;
    expect((await compute.client.delete(`/servers/${id}`, { token: compute.token })).status).toBe(
      204,
    );
    expect(await compute.show(id)).toMatchObject({
      status: 'BUILD',
      'OS-EXT-STS:task_state': 'deleting',
    });
    hold.release();
    await compute.settle();
    expect((await compute.client.get(`/servers/${id}`, { token: compute.token })).status).toBe(404);
    expect(await compute.hypervisor.guests.list()).not.toContain(id);
  });

  it.each(['no-uuid', unknownId()])('answers 404 for %s', async (id) => {
    const response = await compute.client.delete(`/servers/${id}`, { token: compute.token });
    expect(response.status).toBe(404);
    expect(response.body).toEqual({
      itemNotFound: { code: 404, message: `Instance ${id} could not be found.` },
    });
  });
});

describe("another project's server", () => {
  it('does not exist for its members', async () => {
    const id = await compute.buildServer();
    const token = await compute.tokens.issue(['member'], { projectId: newId() });
    expect((await compute.client.get(`/servers/${id}`, { token })).status).toBe(404);
    expect((await compute.client.delete(`/servers/${id}`, { token })).status).toBe(404);
    const action = await compute.client.post(`/servers/${id}/action`, {
      token,
      body: { 'os-stop': null },
    });
    expect(action.status).toBe(404);
    const list = await compute.client.get('/servers', { token });
    expect(list.body).toEqual({ servers: [] });
  });

  it('is shown to an admin, with its host', async () => {
    const id = await compute.buildServer();
    const token = await compute.tokens.issue(['admin'], { projectId: newId() });
    const response = await compute.client.get(`/servers/${id}`, {
      token,
      headers: { 'OpenStack-API-Version': 'compute 2.16' },
    });
    expect(response.body).toMatchObject({
      server: { id, 'OS-EXT-SRV-ATTR:host': 'host-1', host_status: 'UP' },
    });
  });
});

async function countServers(): Promise<number> {
  const rows: { count: number }[] = await compute.app.dataSource.query(
    'SELECT count(*)::int AS count FROM servers',
  );
  return rows[0]?.count ?? 0;
}
