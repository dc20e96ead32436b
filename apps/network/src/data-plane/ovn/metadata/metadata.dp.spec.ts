/** Metadata for guests of two networks with the same addresses, on a real switch. */
import { createHmac, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { NetworkSpec, PortSpec } from '../../data-plane.js';
import { run } from '../host/switch-namespace.js';
import type { TestGuest } from '../host/test-guest.fixture.js';
import { TestHost } from '../host/test-host.fixture.js';
import * as cloud from '../test-cloud.fixture.js';
import { ComputeStub } from './compute-stub.fixture.js';
import type { MetadataAgent } from './metadata-agent.js';
import { METADATA, SECRET, startAgent, withMetadata } from './metadata-cloud.fixture.js';

let test: TestHost;
let agent: MetadataAgent;
let compute: ComputeStub;
const failures: unknown[] = [];
const start = (): MetadataAgent => startAgent(test, compute, (error) => failures.push(error));

/** A guest that is configured by DHCP. */
async function guestOf(port: PortSpec): Promise<TestGuest> {
  const guest = await cloud.guestOn(test, port);
  await guest.ip('route', 'add', METADATA, 'via', '10.0.1.2');
  return guest;
}

const answers = (guest: TestGuest) => async (): Promise<boolean> =>
  (await guest.ask(`http://${METADATA}/`)).status === 200;
const ownNamespaces = async (): Promise<string[]> =>
  (await readdir('/run/netns')).filter((name) =>
    name.startsWith(`${test.host.chassis.namespace}-`),
  );

let group = cloud.groupSpec(cloud.tcp(80));
let networks: NetworkSpec[];
let ports: PortSpec[];
let one: TestGuest;
let other: TestGuest;

beforeAll(async () => {
  test = await TestHost.start();
  compute = await ComputeStub.start();
  agent = start();
  group = cloud.groupSpec();
  await test.dataPlane.ensureSecurityGroup(group);
  networks = [1, 2].map(() => withMetadata(cloud.subnetSpec('10.0.1.0/24'), '10.0.1.2'));
  for (const network of networks) await test.dataPlane.ensureNetwork(network);
  ports = networks.map((network) =>
    cloud.portSpec(network, ['10.0.1.11'], {
      securityGroups: [group.id],
      deviceId: randomUUID(),
      projectId: randomUUID(),
    }),
  );
  [one, other] = (await Promise.all(ports.map(guestOf))) as [TestGuest, TestGuest];
  for (const guest of [one, other]) await eventually('metadata answers', answers(guest));
});
afterAll(async () => {
  await agent.stop();
  compute.stop();
  await test.stop();
});

describe('metadata', () => {
  it('distinguishes guests with the same address on different networks, and signs their identity', async () => {
    compute.seen = [];
    for (const guest of [one, other]) {
      const { status, body, headers } = await guest.ask(`http://${METADATA}/openstack?a=1`);
      expect([status, body]).toEqual([200, 'answer to /metadata/openstack?a=1\n']);
      expect(headers).toMatchObject({ 'x-answered': 'here' });
    }
    expect(compute.seen.map(({ headers }) => headers)).toMatchObject(
      ports.map(({ deviceId, projectId }) => ({
        'x-instance-id': deviceId,
        'x-tenant-id': projectId,
        'x-forwarded-for': '10.0.1.11',
        'x-instance-id-signature': createHmac('sha256', SECRET).update(deviceId).digest('hex'),
      })),
    );
  });

  it('does not let a guest claim to be another', async () => {
    compute.seen = [];
    const { deviceId = '', projectId = '' } = ports[1] ?? {};
    const signature = createHmac('sha256', 'guessed').update(deviceId).digest('hex');
    await one.ask(`http://${METADATA}/`, {
      headers: {
        'X-Instance-ID': deviceId,
        'X-Tenant-ID': projectId,
        'X-Forwarded-For': '10.9.9.9',
        'X-Instance-ID-Signature': signature,
        Forwarded: 'for=10.9.9.9',
        'X-Other': 'odd',
      },
    });
    const [{ headers } = { headers: {} }] = compute.seen;
    expect(headers).toMatchObject({
      'x-instance-id': ports[0]?.deviceId,
      'x-forwarded-for': '10.0.1.11',
    });
    for (const name of ['forwarded', 'x-other']) expect(headers).not.toHaveProperty(name);
    expect(JSON.stringify(headers)).not.toContain(deviceId);
  });

  it('forwards requests and answers', async () => {
    compute.seen = [];
    const password = { method: 'POST', body: 'encrypted' };
    expect(await one.ask(`http://${METADATA}/password`, password)).toMatchObject({ status: 200 });
    expect(compute.seen).toMatchObject([
      { method: 'POST', url: '/metadata/password', body: 'encrypted' },
    ]);
    expect(await one.ask(`http://${METADATA}/missing`)).toMatchObject({ status: 404 });
    const long = { method: 'POST', body: 'x'.repeat(100_000) };
    // While it still sends, it may notice only that the connection was closed.
    expect([413, undefined]).toContain((await one.ask(`http://${METADATA}/password`, long)).status);
    expect(compute.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    const hidden = await one.ask(`http://${METADATA}/..%2fservers`);
    expect(hidden).toMatchObject({ status: 400 });
  });

  it('answers at the link-local address', async () => {
    await one.ip('route', 'replace', METADATA, 'dev', 'eth0');
    expect(await one.ask(`http://${METADATA}/`)).toMatchObject({ status: 200 });
  });

  it('answers by IPv6, if the port may send that', async () => {
    const four = cloud.subnetSpec('10.0.2.0/24');
    const six = cloud.subnetSpec('2001:db8::/64', { gatewayIp: '2001:db8::1' });
    const dual = withMetadata(four, '10.0.2.2');
    const network = { ...dual, subnets: [four, six] };
    await test.dataPlane.ensureNetwork(network);
    const securityGroups = [group.id];
    const device = { deviceId: randomUUID(), projectId: randomUUID() };
    const port = cloud.portSpec(network, ['10.0.2.11', '2001:db8::11'], {
      securityGroups,
      ...device,
    });
    const guest = await cloud.guestOn(test, port);
    const url = 'http://[fe80::a9fe:a9fe%25eth0]/';
    compute.seen = [];
    await eventually('it answers', async () => (await guest.ask(url)).status === 200);
    expect(compute.seen[0]?.headers).toMatchObject({ 'x-instance-id': device.deviceId });
    await test.dataPlane.removePort(port.id);
  });

  it('does not answer a spoofed address', async () => {
    const [network] = networks as [NetworkSpec];
    const port = cloud.portSpec(network, ['10.0.1.12'], { portSecurityEnabled: false });
    const thief = await cloud.guestOn(test, port);
    await thief.ip('route', 'add', METADATA, 'dev', 'eth0');
    // A port without a server has no identity.
    await eventually('nobody is told so', async () => {
      return (await thief.ask(`http://${METADATA}/`)).status === 404;
    });
    compute.seen = [];
    await thief.ip('addr', 'flush', 'dev', 'eth0', 'scope', 'global');
    for (const address of ['10.0.1.11', '10.0.1.99']) {
      await thief.hasAddress(`${address}/24`);
      await thief.ip('route', 'replace', METADATA, 'dev', 'eth0', 'src', address);
      expect(await thief.ask(`http://${METADATA}/`)).not.toHaveProperty('status');
      await thief.ip('addr', 'del', `${address}/24`, 'dev', 'eth0');
    }
    expect(compute.seen).toEqual([]);
    await eventually('the other still is answered', answers(one));
    await test.dataPlane.removePort(port.id);
  });
});

describe('access of guests to the API', () => {
  it('reaches the ingress', async () => {
    compute.seen = [];
    const { status, body } = await one.ask(`http://${METADATA}:8080/identity`, {
      method: 'POST',
      body: 'x'.repeat(100_000),
    });
    expect([status, body]).toEqual([200, 'answer to /identity\n']);
    expect(compute.seen[0]?.body).toHaveLength(100_000);
    expect(compute.seen[0]?.headers).not.toHaveProperty('x-instance-id');
  });
});

describe('metadata on a host', () => {
  it('answers again after the switch was killed', async () => {
    const pid = test.host.pidOf('switch');
    process.kill(pid ?? 0, 'SIGKILL');
    await eventually('it runs again', () => ![pid, undefined].includes(test.host.pidOf('switch')));
    await eventually('metadata answers', answers(one));
  });

  it('answers again after a restart of the service', async () => {
    await agent.stop();
    // Of networks that were deleted meanwhile.
    const { namespace } = test.host.chassis;
    await run('ip', ['netns', 'add', `${namespace}-${randomUUID()}`]);
    const left = ['meta0123456789a', 'type', 'veth', 'peer', 'name', 'eth0'];
    await run('ip', ['-n', namespace, 'link', 'add', ...left]);
    agent = start();
    await eventually('it is gone', async () => (await ownNamespaces()).length === 2);
    expect(await run('ip', ['-n', namespace, 'link'])).not.toContain('meta0123456789a');
    await eventually('metadata answers', answers(one));
    await eventually('metadata answers', answers(other));
  });

  it('follows what changes', async () => {
    const [network, ...others] = networks as [NetworkSpec];
    const { metadataPort } = network;
    if (!metadataPort) throw new Error('the network has no port for metadata');
    const addresses = metadataPort.addresses.map((at) => ({ ...at, address: '10.0.1.3' }));
    const moved = { ...network, mtu: 1400, metadataPort: { ...metadataPort, addresses } };
    await test.dataPlane.ensureNetwork(moved);
    networks = [moved, ...others];
    await one.ip('route', 'replace', METADATA, 'via', '10.0.1.3');
    await eventually('it answers at its new address', answers(one));
    const [port] = ports as [PortSpec];
    const deviceId = randomUUID();
    await test.dataPlane.ensurePort({ ...port, deviceId });
    await eventually('it knows the new server', async () => {
      compute.seen = [];
      await one.ask(`http://${METADATA}/`);
      return compute.seen[0]?.headers['x-instance-id'] === deviceId;
    });
  });

  it('exists only where the network has guests', async () => {
    expect(await ownNamespaces()).toHaveLength(2);
    await test.unplug(other);
    await eventually('it is gone', async () => (await ownNamespaces()).length === 1);
    await test.dataPlane.removePort(ports[0]?.id ?? '');
    await eventually('it is gone', async () => (await ownNamespaces()).length === 0);
    expect(failures).toEqual([]);
  });
});
