/** A second host of a cloud, whose agent is a separate process. */
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually } from '@cumulet/testing/settle';
import { namespaceFor, tapOf } from '../data-plane/data-plane.js';
import type { NetworkSpec, SecurityGroupSpec } from '../data-plane/data-plane.js';
import { CHASSIS_DAEMONS } from '../data-plane/ovn/host/daemons.js';
import { namespaceOf, socketOf } from '../data-plane/ovn/host/host-settings.js';
import { daemonsIn } from '../data-plane/ovn/host/supervisor.js';
import { SOUTHBOUND_PORT } from '../data-plane/ovn/host/ovn-central.js';
import { run } from '../data-plane/ovn/host/switch-namespace.js';
import { namespacesOf } from '../data-plane/ovn/host/namespaces/port-namespace.js';
import { tapsIn } from '../data-plane/ovn/host/taps/tap-devices.js';
import { serveIn, type TestGuest } from '../data-plane/ovn/host/test-guest.fixture.js';
import { TestHost } from '../data-plane/ovn/host/test-host.fixture.js';
import { ComputeStub } from '../data-plane/ovn/metadata/compute-stub.fixture.js';
import { METADATA, withMetadata } from '../data-plane/ovn/metadata/metadata-cloud.fixture.js';
import * as cloud from '../data-plane/ovn/test-cloud.fixture.js';

// A random address, since other tests may run on this machine.
const LISTEN = `127.${randomInt(1, 255)}.${randomInt(256)}.1`;
const KEY = randomBytes(4).toString('hex');
const CABLE = [`near${KEY}`, `away${KEY}`] as const;
const GUEST = 1_865_000_001;

let test: TestHost;
let agent: TestProcess;
let dataDir: string;
let network: NetworkSpec;
let group: SecurityGroupSpec;
let near: TestGuest;
let far: TestGuest;
let compute: ComputeStub;

const folder = (): string => join(dataDir, 'ovn');

const agentProcess = (...command: readonly string[]): TestProcess =>
  TestProcess.start(new URL('agent-process.fixture.ts', import.meta.url), [
    ...command,
    `NETWORK_DATA_DIR=${dataDir}`,
    'CUMULET_HOST=there',
    `NETWORK_OVN_SOUTHBOUND=tcp:${LISTEN}:${SOUTHBOUND_PORT}`,
    `NETWORK_TUNNEL_DEVICE=${CABLE[1]}`,
    'NETWORK_TUNNEL_ADDRESS=192.0.2.2/24',
    `NETWORK_METADATA_URL=${compute.url}`,
    'CUMULET_METADATA_SECRET=shared',
    'CUMULET_LOG_LEVEL=silent',
  ]);

const startAgent = async (): Promise<void> => {
  agent = agentProcess();
  await agent.printed('ready');
};

const leave = (): Promise<number | null> => agentProcess('leave').ended();

const namespaces = async (): Promise<string[]> =>
  (await readdir('/run/netns')).filter((name) => name.startsWith(namespaceOf(folder())));

const daemons = async (): Promise<number[]> =>
  (await daemonsIn(folder(), CHASSIS_DAEMONS)).map(({ pid }) => pid).sort();

const onNetwork = (address: string, host: string): Promise<TestGuest> => {
  const changes = { securityGroups: [group.id], host, deviceId: `server at ${address}` };
  return cloud.guestOn(test, cloud.portSpec(network, [address], changes));
};

beforeAll(async () => {
  const [here, yonder] = CABLE;
  await run('ip', ['link', 'add', here, 'type', 'veth', 'peer', 'name', yonder]);
  for (const end of CABLE) await run('ip', ['link', 'set', end, 'up']);
  dataDir = await mkdtemp(join(tmpdir(), 'cumulet-agent-'));
  const tunnel = { device: here, address: '192.0.2.1/24' };
  test = await TestHost.start({ listen: LISTEN, tunnel });
  compute = await ComputeStub.start();
  await startAgent();
  await test.followHost('there', {
    namespace: namespaceOf(folder()),
    switchDatabase: socketOf(folder(), 'switch'),
  });
  network = withMetadata(cloud.subnetSpec('10.0.1.0/24'), '10.0.1.2');
  group = cloud.groupSpec(cloud.rule({ protocol: 'icmp' }), cloud.tcp(80));
  await test.dataPlane.ensureNetwork(network);
  await test.dataPlane.ensureSecurityGroup(group);
  near = await onNetwork('10.0.1.11', 'here');
  far = await onNetwork('10.0.1.12', 'there');
  await far.serve(80);
});
afterAll(async () => {
  await agent.terminate();
  compute.stop();
  await test.stop();
  await run('ip', ['link', 'delete', CABLE[0]]);
  await rm(dataDir, { recursive: true });
});

describe('the agent of a second host', () => {
  it('connects it to the first host', async () => {
    await eventually('the far guest answers', () => near.reaches('10.0.1.12', 80));
  });

  it("creates and removes its guests' devices", async () => {
    const port = cloud.portSpec(network, ['10.0.1.13'], { host: 'there', tap: { uid: GUEST } });
    await test.dataPlane.ensurePort(port);
    await eventually('the port is up', () => test.isUp(port.id));
    const device = { device: tapOf(port.id), uid: GUEST };
    expect(await tapsIn(namespaceOf(folder()))).toEqual([device]);
    await test.dataPlane.removePort(port.id);
    await eventually('nothing is left', async () => {
      return (await tapsIn(namespaceOf(folder()))).length === 0;
    });
  });

  it('creates and removes network namespaces for programs of its host', async () => {
    const own = { host: 'there', namespace: 'own' as const, securityGroups: [group.id] };
    const port = cloud.portSpec(network, ['10.0.1.30'], own);
    await test.dataPlane.ensurePort(port);
    await eventually('the port is up', () => test.isUp(port.id));
    const inSwitch = namespaceOf(folder());
    const server = await serveIn(namespaceFor(inSwitch, port.id), 80);
    await eventually('it answers', () => near.reaches('10.0.1.30', 80));
    // The port moves to the other host, which creates its own namespace.
    await test.dataPlane.ensurePort({ ...port, host: 'here' });
    await eventually('it is gone', async () => (await namespacesOf(inSwitch)).length === 0);
    expect(await near.reaches('10.0.1.30', 80)).toBe(false);
    server.kill('SIGKILL');
    await test.dataPlane.removePort(port.id);
  });

  it('serves metadata, also after it was killed', async () => {
    await far.ip('route', 'add', METADATA, 'dev', 'eth0');
    const asks = async () => (await far.ask(`http://${METADATA}/`)).status === 200;
    await eventually('metadata answers', asks);
    await agent.kill();
    await startAgent();
    compute.seen = [];
    await eventually('metadata answers', asks);
    expect(compute.seen[0]?.headers).toMatchObject({ 'x-instance-id': 'server at 10.0.1.12' });
  });

  it('prepares a port for its move, while traffic continues on the old host', async () => {
    const prepared = [{ host: 'there', tap: { uid: GUEST } }];
    const securityGroups = [group.id];
    const port = cloud.portSpec(network, ['10.0.1.15'], { prepared, securityGroups });
    const guest = await cloud.guestOn(test, port);
    await guest.serve(80);
    const namespace = namespaceOf(folder());
    await eventually('it is prepared', async () => (await tapsIn(namespace)).length === 1);
    expect(await tapsIn(namespace)).toEqual([{ device: tapOf(port.id), uid: GUEST }]);
    await eventually('it answers', () => near.reaches('10.0.1.15', 80));
    expect(test.isUp(port.id)).toBe(true);
    await test.dataPlane.ensurePort({ ...port, prepared: [] });
    await eventually('it stays', async () => (await tapsIn(namespace)).length === 0);
    await eventually('it answers', () => near.reaches('10.0.1.15', 80));
  });

  it.each(['kill', 'terminate'] as const)(
    'keeps traffic running after %s, and its successor adopts the daemons',
    async (end) => {
      await eventually('the far guest answers', () => near.reaches('10.0.1.12', 80));
      const before = await daemons();
      await agent[end]();
      expect(await daemons()).toEqual(before);
      expect(await near.reaches('10.0.1.12', 80)).toBe(true);
      await startAgent();
      expect(await near.reaches('10.0.1.12', 80)).toBe(true);
      expect(await daemons()).toEqual(before);
      expect(before).toHaveLength(CHASSIS_DAEMONS.length);
    },
  );

  it('restarts also an adopted daemon', async () => {
    const before = await daemons();
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await eventually('all run again', async () => {
      const now = await daemons();
      return now.length === before.length && now.every((pid) => !before.includes(pid));
    });
    await eventually('the far guest answers', () => near.reaches('10.0.1.12', 80));
  });

  it('leaves the cloud by a command, unless an agent or a guest runs', async () => {
    const port = cloud.portSpec(network, ['10.0.1.14'], { host: 'there', tap: { uid: GUEST } });
    await test.dataPlane.ensurePort(port);
    await eventually('the port is up', () => test.isUp(port.id));
    expect(await leave()).toBe(1);
    expect(await agent.terminate()).toBe(0);
    const guest = await serveIn(namespaceOf(folder()), 80);
    const before = await daemons();
    expect(await leave()).toBe(1);
    expect(await daemons()).toEqual(before);
    guest.kill('SIGKILL');
    await once(guest, 'exit');

    expect(await leave()).toBe(0);
    const hosts = await test.dataPlane.hosts();
    expect(hosts.map(({ host }) => host)).toEqual(['here']);
    await eventually('the port is down', () => !test.isUp(port.id));
    expect([await daemons(), await namespaces()]).toEqual([[], []]);
    expect(await leave()).toBe(0);
  });
});
