import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';

const SECRET = 'known to the network service, too';
const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOAMj0mdXwyjOvr+sPtZxr5FVKjANMWCM8F/8Kjx5SQU demo@laptop';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  await compute.client.post('/os-keypairs', {
    token: compute.token,
    body: { keypair: { name: 'mine', public_key: PUBLIC_KEY } },
  });
  id = await compute.buildServer({
    name: 'Web 1',
    key_name: 'mine',
    metadata: { role: 'web' },
    user_data: Buffer.from('#!/bin/sh\n').toString('base64'),
    personality: [{ path: '/etc/motd', contents: Buffer.from('hello').toString('base64') }],
  });
});
afterAll(() => compute.stop());

const sign = (server: string, secret = SECRET): string =>
  createHmac('sha256', secret).update(server).digest('hex');

const from = (server = id, project = compute.projectId): Record<string, string> => ({
  'x-instance-id': server,
  'x-tenant-id': project,
  'x-instance-id-signature': sign(server),
  'x-forwarded-for': '10.0.0.5',
});

async function ask(
  path: string,
  { headers = from(), ...init }: RequestInit = {},
): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetch(`${compute.client.baseUrl}/metadata${path}`, { headers, ...init });
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type'), text };
}

const lines = async (path: string): Promise<string[]> => (await ask(path)).text.split('\n');
const parsed = async (path: string): Promise<unknown> => JSON.parse((await ask(path)).text);

describe('the OpenStack format', () => {
  it('lists versions, and the files of each', async () => {
    expect(await lines('/openstack')).toEqual(
      expect.arrayContaining(['2012-08-10', '2025-04-04', 'latest']),
    );
    expect((await lines('/openstack/2012-08-10/')).sort()).toEqual(['meta_data.json', 'user_data']);
    expect(await lines('/openstack/latest/')).toEqual([
      'meta_data.json',
      'user_data',
      'password',
      'vendor_data.json',
      'network_data.json',
      'vendor_data2.json',
    ]);
  });

  it('identifies the guest', async () => {
    expect((await ask('/openstack/latest/meta_data.json')).type).toMatch(/^application\/json/);
    expect(await parsed('/openstack/latest/meta_data.json')).toEqual({
      uuid: id,
      name: 'Web 1',
      hostname: 'web-1',
      project_id: compute.projectId,
      availability_zone: 'nova',
      launch_index: 0,
      meta: { role: 'web' },
      files: [{ path: '/etc/motd', content_path: '/content/0000' }],
      public_keys: { mine: PUBLIC_KEY },
      keys: [{ name: 'mine', type: 'ssh', data: PUBLIC_KEY }],
      random_seed: expect.stringMatching(/^[A-Za-z0-9+/]{600,}=*$/),
      devices: [],
      dedicated_cpus: [],
    });
    expect(await parsed('/openstack/2012-08-10/meta_data.json')).not.toHaveProperty('random_seed');
  });

  it('has the data that it was created with', async () => {
    expect((await ask('/openstack/latest/user_data')).text).toBe('#!/bin/sh\n');
    expect((await ask('/openstack/content/0000')).text).toBe('hello');
    expect(await parsed('/openstack/latest/vendor_data.json')).toEqual({});
    expect(await parsed('/openstack/latest/vendor_data2.json')).toEqual({ static: {} });
    expect(await parsed('/openstack/latest/network_data.json')).toBeInstanceOf(Object);
  });

  it.each(['/openstack/1999-01-01', '/openstack/latest/nothing', '/openstack/content/0001'])(
    'has nothing at %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  it('omits files from versions older than they are', async () => {
    expect((await ask('/openstack/2012-08-10/password')).status).toBe(404);
    expect((await ask('/openstack/2013-04-04/network_data.json')).status).toBe(404);
  });
});

describe('the EC2 format', () => {
  it('lists versions, and directories', async () => {
    expect(await lines('/')).toEqual(expect.arrayContaining(['1.0', '2009-04-04', 'latest']));
    expect(await lines('/latest/')).toEqual(['meta-data/', 'user-data']);
    expect(await lines('/latest/meta-data/')).toEqual(
      expect.arrayContaining(['ami-id', 'block-device-mapping/', 'placement/', 'public-keys/']),
    );
    expect(await lines('/1.0/meta-data/')).not.toContain('placement/');
  });

  it.each([
    ['/latest/meta-data/hostname', 'web-1'],
    ['/2009-04-04/meta-data/instance-type', 'm1.tiny'],
    ['/latest/meta-data/placement/availability-zone', 'nova'],
    ['/latest/meta-data/block-device-mapping/root', '/dev/vda'],
    ['/latest/meta-data/public-keys/', '0=mine'],
    ['/latest/meta-data/public-keys/0/', 'openssh-key'],
    ['/latest/meta-data/public-keys/0/openssh-key', PUBLIC_KEY],
    ['/latest/user-data', '#!/bin/sh\n'],
    ['/ec2/latest/meta-data/ami-launch-index', '0'],
  ])('has at %s %j', async (path, text) => {
    expect(await ask(path)).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text });
  });

  it.each(['/1999-01-01/', '/latest/meta-data/toString', '/latest/meta-data/hostname/x'])(
    'has nothing at %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );
});

describe('a guest', () => {
  const password = '/openstack/latest/password';

  it('posts its password once, until its owner clears it', async () => {
    const tell = (body: string) => ask(password, { method: 'POST', body });
    expect(await ask(password)).toMatchObject({ status: 200, text: '' });
    expect((await tell('x'.repeat(1_021))).status).toBe(400);
    expect(await tell('c2VjcmV0')).toMatchObject({ status: 200, text: '' });
    expect((await tell('other')).status).toBe(409);
    expect((await ask(password)).text).toBe('c2VjcmV0');
    const path = `/servers/${id}/os-server-password`;
    const { token } = compute;
    expect((await compute.client.get(path, { token })).body).toEqual({ password: 'c2VjcmV0' });
    await compute.client.delete(path, { token });
    expect((await tell('again')).status).toBe(200);
  });

  it('posts nothing elsewhere', async () => {
    const init = { method: 'POST', body: 'x' };
    expect((await ask('/openstack/latest/user_data', init)).status).toBe(404);
    expect((await ask('/openstack/2012-08-10/password', init)).status).toBe(404);
  });

  it.each<[string, () => Record<string, string>, number]>([
    ['that nobody has signed', () => ({ ...from(), 'x-instance-id-signature': '' }), 403],
    [
      'signed with another key',
      () => ({ ...from(), 'x-instance-id-signature': sign(id, 'guessed') }),
      403,
    ],
    ['signed for another', () => ({ ...from(), 'x-instance-id-signature': sign('other') }), 403],
    ['of another project', () => from(id, newId()), 404],
    ['that does not exist', () => from(unknownId()), 404],
    ['without its id', () => ({ ...from(), 'x-instance-id': '' }), 400],
    ['without its project', () => ({ ...from(), 'x-tenant-id': '' }), 400],
  ])('gets nothing %s', async (_, headers, status) => {
    for (const path of ['/openstack/latest/meta_data.json', '/latest/user-data']) {
      const answer = await ask(path, { headers: headers() });
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain('web');
    }
    const told = await ask(password, { headers: headers(), method: 'POST', body: 'x' });
    expect(told.status).toBe(status);
  });

  it('gets nothing if there is no key', async () => {
    const without = await startCompute({ config: { metadataSecret: undefined } });
    try {
      const headers = { ...from(), 'x-instance-id-signature': sign(id, '') };
      const url = `${without.client.baseUrl}/metadata/latest/meta-data/hostname`;
      expect((await fetch(url, { headers })).status).toBe(503);
    } finally {
      await without.stop();
    }
  });

  it('is also known by a former key that is listed', async () => {
    const other = await startCompute({
      beside: compute,
      config: { metadataSecret: 'the next one', oldMetadataSecrets: [SECRET] },
    });
    try {
      const url = `${other.client.baseUrl}/metadata/latest/meta-data/hostname`;
      const statuses = [];
      for (const secret of ['the next one', SECRET, 'a third']) {
        const headers = { ...from(), 'x-instance-id-signature': sign(id, secret) };
        statuses.push((await fetch(url, { headers })).status);
      }
      expect(statuses).toEqual([200, 200, 403]);
    } finally {
      await other.stop();
    }
  });
});
