/** What `docker compose up` gives, but for Docker: servers with networks on a QEMU of their own. */
import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestRequest } from '@cumulet/testing/http-client';
import { builtMicro, MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import { eventually } from '@cumulet/testing/settle';
import { ComposedCloud } from './composed-cloud.fixture.js';

const BOOT_LIMIT_MS = 400_000;
const FLAVOR = '42';

interface Server {
  readonly id: string;
  readonly status: string;
  readonly addresses: Readonly<Record<string, { addr: string }[]>>;
}

interface Port {
  readonly id: string;
}

let cloud: ComposedCloud;
let token: string;

/** @returns what the answer's one key holds; throws for another status than one of success */
async function ask<T>(
  service: string,
  method: string,
  path: string,
  request: TestRequest = {},
): Promise<T> {
  const answer = await cloud.client(service).send(method, path, { token, ...request });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return Object.values((answer.body ?? {}) as Record<string, T>)[0] as T;
}

/** @param name of the user and of the project */
async function login(name: 'admin' | 'demo'): Promise<string> {
  const domain = { id: 'default' };
  const password = cloud.secret(`IDENTITY_${name.toUpperCase()}_PASSWORD`);
  const auth = {
    identity: { methods: ['password'], password: { user: { name, domain, password } } },
    scope: { project: { name, domain } },
  };
  const { headers } = await cloud.client('identity').post('/v3/auth/tokens', { body: { auth } });
  return headers.get('X-Subject-Token') ?? '';
}

/** @returns the id of the micro guest's */
async function uploadMicro(): Promise<string> {
  const made = await cloud.client('images').post('/v2/images', {
    token,
    body: { name: 'micro', disk_format: 'qcow2', container_format: 'bare' },
  });
  const { id } = made.body as { id: string };
  await ask('images', 'PUT', `/v2/images/${id}/file`, {
    headers: { 'Content-Type': 'application/octet-stream' },
    body: await readFile(await builtMicro()),
  });
  return id;
}

beforeAll(async () => {
  cloud = await ComposedCloud.start();
  token = await login('demo');
}, MICRO_BUILD_TIMEOUT_MS);
afterAll(() => cloud.stop(), 120_000);

it(
  'a server gets a NIC on a network, and compute is notified when its port is deleted',
  async () => {
    const network = await ask<{ id: string }>('network', 'POST', '/v2.0/networks', {
      body: { network: { name: 'inside' } },
    });
    const subnet = { network_id: network.id, cidr: '10.12.0.0/24', ip_version: 4 };
    await ask('network', 'POST', '/v2.0/subnets', { body: { subnet } });
    const server = {
      name: 'one',
      flavorRef: FLAVOR,
      imageRef: await uploadMicro(),
      networks: [{ uuid: network.id, fixed_ip: '10.12.0.7' }],
    };
    const { id } = await ask<Server>('compute', 'POST', '/v2.1/servers', { body: { server } });
    const path = `/v2.1/servers/${id}`;
    const show = (): Promise<Server> => ask('compute', 'GET', path);
    await eventually('it is active', async () => (await show()).status === 'ACTIVE', BOOT_LIMIT_MS);
    expect((await show()).addresses).toMatchObject({ inside: [{ addr: '10.12.0.7' }] });

    const [port] = await ask<Port[]>('network', 'GET', `/v2.0/ports?device_id=${id}`, {
      token: await login('admin'),
    });
    expect(port).toMatchObject({
      status: 'ACTIVE',
      'binding:vif_type': 'user',
      'binding:host_id': 'compute-worker',
    });
    await ask('network', 'DELETE', `/v2.0/ports/${port?.id}`);
    const hasNone = async () => Object.keys((await show()).addresses).length === 0;
    await eventually('it has no address', hasNone);
    await ask('compute', 'DELETE', path);
    const isGone = async () => (await cloud.client('compute').get(path, { token })).status === 404;
    await eventually('it is gone', isGone, BOOT_LIMIT_MS);
  },
  2 * BOOT_LIMIT_MS,
);
