/** Ports as sisters of the network service have them, and what compute hears of them. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asBearer, asService } from '@cumulet/clients/http/actor';
import { NO_CREDENTIALS } from '@cumulet/clients/http/credentials';
import {
  ServiceRefusedError,
  ServiceUnavailableError,
} from '@cumulet/clients/http/service-client-errors';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { NetworkClient } from '@cumulet/clients/network/network-client';
import type { NewPort, Port } from '@cumulet/clients/network/network-wire';
import { eventually } from '@cumulet/testing/settle';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

let cloud: TestCloud;
let tokens: ServiceTokenSource;
let networks: NetworkClient;
let token: string;
let network: { readonly id: string; readonly project_id: string };
let subnet: { readonly id: string };

/** Asks as a member of the project `demo`. @returns what was created */
async function create<T>(path: string, body: object): Promise<T> {
  const answer = await cloud.client.post(path, { token, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return Object.values(answer.body as Record<string, T>)[0] as T;
}

beforeAll(async () => {
  cloud = await startTestCloud(SERVICES);
  token = await cloud.login('demo', cloud.secrets.demoPassword);
  const identityUrl = `${cloud.url}/identity`;
  const { servicePassword: password } = cloud.secrets;
  tokens = new ServiceTokenSource({ identityUrl, user: 'compute', password });
  const credentials = new ActorCredentials(tokens);
  networks = new NetworkClient({ networkUrl: `${cloud.url}/networking`, credentials });
  network = await create('/networking/v2.0/networks', { network: { name: 'net' } });
  subnet = await create('/networking/v2.0/subnets', {
    subnet: { network_id: network.id, cidr: '10.0.0.0/24', ip_version: 4 },
  });
});
afterAll(async () => {
  for (const client of [networks, tokens]) await client.close();
  await cloud.stop();
});

const service = asService();

const newPort = (port: Partial<NewPort> = {}, key: string = randomUUID()): Promise<Port> =>
  networks.createPort(
    service,
    { networkId: network.id, projectId: network.project_id, ...port },
    key,
  );

const bindingTo = (deviceId: string) => ({
  deviceId,
  deviceOwner: 'compute:nova',
  hostId: 'host-1',
});

const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((one: unknown) => one);

async function isActive(id: string): Promise<boolean> {
  return (await networks.port(service, id))?.status === 'ACTIVE';
}

describe('the client of the network service', () => {
  it('reads a network of any project', async () => {
    expect(await networks.network(service, network.id)).toMatchObject({
      id: network.id,
      projectId: network.project_id,
      name: 'net',
      isShared: false,
      isExternal: false,
      subnetIds: [subnet.id],
    });
  });

  it('does not find a missing network or port', async () => {
    expect(await networks.network(service, randomUUID())).toBeUndefined();
    expect(await networks.port(service, randomUUID())).toBeUndefined();
  });

  it('creates a port with addresses in the specified project', async () => {
    const addresses = [{ subnetId: subnet.id, address: '10.0.0.77' }];
    const port = await newPort({ name: 'eth0', addresses });
    expect(port).toMatchObject({
      networkId: network.id,
      projectId: network.project_id,
      addresses,
      deviceId: '',
      deviceOwner: '',
      hostId: '',
      status: 'DOWN',
    });
    expect(port.macAddress).toMatch(/^fa:16:3e:/);
    expect(port.securityGroupIds).toHaveLength(1);
    expect(await networks.port(service, port.id)).toMatchObject({ addresses });
  });

  it('creates a port once per key', async () => {
    const deviceId = randomUUID();
    const key = randomUUID();
    const [one, other] = [await newPort({ deviceId }, key), await newPort({ deviceId }, key)];
    expect(other.id).toBe(one.id);
    expect((await networks.portsOf(service, deviceId)).map(({ id }) => id)).toEqual([one.id]);
  });

  it('binds a port, which becomes active, and releases it with its addresses', async () => {
    const { id, addresses } = await newPort();
    const binding = bindingTo(randomUUID());
    expect(await networks.bindPort(service, id, binding)).toMatchObject(binding);
    await eventually('the port is up', () => isActive(id));
    await networks.freePort(service, id);
    await eventually('the port is down', async () => !(await isActive(id)));
    expect(await networks.port(service, id)).toMatchObject({
      deviceId: '',
      deviceOwner: '',
      hostId: '',
      addresses,
    });
  });

  it("lists a device's ports, oldest first", async () => {
    const deviceId = randomUUID();
    const made = [await newPort({ deviceId }), await newPort({ deviceId })];
    expect((await networks.portsOf(service, deviceId)).map(({ id }) => id)).toEqual(
      made.map(({ id }) => id),
    );
    expect(await networks.portsOf(service, randomUUID())).toEqual([]);
  });

  it('deletes a port, and ignores one that is already deleted', async () => {
    const { id } = await newPort();
    for (let time = 0; time < 2; time += 1) await networks.deletePort(service, id);
    await networks.freePort(service, id);
    expect(await networks.port(service, id)).toBeUndefined();
  });

  it('acts as its caller, who may not choose a host', async () => {
    const { id } = await newPort();
    const caller = asBearer(token);
    expect(await networks.port(caller, id)).toMatchObject({ id, hostId: undefined });
    const error = await failure(networks.bindPort(caller, id, bindingTo(randomUUID())));
    expect(error).toMatchObject({ service: 'network', status: 403 });
  });

  it("fails with the service's message if that refuses", async () => {
    const error = await failure(newPort({ networkId: randomUUID() }));
    expect(error).toBeInstanceOf(ServiceRefusedError);
    expect(error).toMatchObject({
      status: 404,
      serviceMessage: expect.stringContaining('Network'),
    });
  });

  it('can retry if there is no response', async () => {
    const networkUrl = 'http://127.0.0.1:1/networking';
    const nowhere = new NetworkClient({ networkUrl, credentials: NO_CREDENTIALS });
    const error = await failure(nowhere.port(asBearer(token), randomUUID()));
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    await nowhere.close();
  });
});

/** A server of the project `demo`, which has a host. */
async function newServer(): Promise<string> {
  const image = await cloud.client.post('/image/v2/images', {
    token,
    body: { name: 'own', disk_format: 'raw', container_format: 'bare' },
  });
  const { id: imageRef } = image.body as { id: string };
  const sector = Buffer.alloc(512);
  sector.writeUInt16LE(0xaa55, 510);
  const headers = { 'Content-Type': 'application/octet-stream' };
  await cloud.client.put(`/image/v2/images/${imageRef}/file`, { token, headers, body: sector });
  const { id } = await create<{ id: string }>('/compute/v2.1/servers', {
    server: { name: 'web-1', imageRef, flavorRef: '1' },
  });
  await eventually('the server is there', async () => {
    const { body } = await cloud.client.get(`/compute/v2.1/servers/${id}`, { token });
    return (body as { server: { status: string } }).server.status === 'ACTIVE';
  });
  return id;
}

/** Requests by which compute was told of events, by their status. */
async function told(status: 200 | 207): Promise<number> {
  const text = await cloud.statistics();
  const line = text
    .split('\n')
    .find(
      (one) =>
        one.startsWith('http_request_duration_seconds_count') &&
        one.includes('os-server-external-events') &&
        one.includes(`status="${status}"`),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('compute', () => {
  it("accepts events of the network service about a server's port", async () => {
    const server = await newServer();
    const { id } = await newPort();
    const accepted = async (count: number) =>
      eventually('compute has been told', async () => (await told(200)) === count);
    const before = await told(200);
    await networks.bindPort(service, id, bindingTo(server));
    await accepted(before + 1);
    await cloud.client.put(`/networking/v2.0/ports/${id}`, {
      token,
      body: { port: { fixed_ips: [{ subnet_id: subnet.id }, { subnet_id: subnet.id }] } },
    });
    await accepted(before + 2);
    await networks.deletePort(service, id);
    await accepted(before + 3);
  });

  it('reports a missing server', async () => {
    const before = await told(207);
    const { id } = await newPort();
    await networks.bindPort(service, id, bindingTo(randomUUID()));
    await eventually('compute has been told', async () => (await told(207)) === before + 1);
  });
});
