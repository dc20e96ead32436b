/** A host with a device of a physical network, such as a container on a network of Docker. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually } from '@cumulet/testing/settle';
import { NO_QOS, type NetworkSpec, type RouterSpec } from '../data-plane/data-plane.js';
import { namespaceOf, socketOf } from '../data-plane/ovn/host/host-settings.js';
import { SOUTHBOUND_PORT } from '../data-plane/ovn/host/ovn-central.js';
import { heldIn, inNamespace, run } from '../data-plane/ovn/host/switch-namespace.js';
import * as machine from '../data-plane/ovn/host/test-guest.fixture.js';
import { newMac, TestHost } from '../data-plane/ovn/host/test-host.fixture.js';
import * as cloud from '../data-plane/ovn/test-cloud.fixture.js';

// Random addresses, since other tests may run on this machine; the second for tests (RFC 2544).
const LISTEN = `127.${randomInt(1, 255)}.${randomInt(256)}.1`;
const OUTSIDE = `198.18.${randomInt(256)}`;
const FLOATING = `${OUTSIDE}.21`;
const KEY = randomBytes(4).toString('hex');
const CABLE = [`near${KEY}`, `away${KEY}`] as const;
/** The machine of Docker, and the device that it gives to the container. */
const OUTER = `cumulet-outer-${KEY}`;
const DEVICE = `given${KEY}`;

let test: TestHost;
let dataDir: string;
let agent: TestProcess;
let guest: machine.TestGuest;
let network: NetworkSpec;
let external: NetworkSpec;
let router: RouterSpec;

const folder = (): string => join(dataDir, 'ovn');

const agentProcess = (given: string, ...command: readonly string[]): TestProcess =>
  TestProcess.start(new URL('agent-process.fixture.ts', import.meta.url), [
    ...command,
    `NETWORK_DATA_DIR=${dataDir}`,
    'CUMULET_HOST=there',
    `NETWORK_OVN_SOUTHBOUND=tcp:${LISTEN}:${SOUTHBOUND_PORT}`,
    `NETWORK_TUNNEL_DEVICE=${CABLE[1]}`,
    'NETWORK_TUNNEL_ADDRESS=192.0.2.2/24',
    'NETWORK_PHYSICAL_NETWORKS=public',
    `NETWORK_PHYSICAL_DEVICES=public=${given}`,
    'CUMULET_LOG_LEVEL=silent',
  ]);

const startAgent = async (given = `${OUTSIDE}.0/24`): Promise<void> => {
  agent = agentProcess(given);
  await agent.printed('ready');
};

const outer: typeof run = (...command) => inNamespace(OUTER, ...command);
const outerIp = (...args: readonly string[]): Promise<string> => outer('ip', args);
const answers = (): Promise<boolean> => machine.reaches(FLOATING, 80, outer);

beforeAll(async () => {
  const [here, yonder] = CABLE;
  await run('ip', ['link', 'add', here, 'type', 'veth', 'peer', 'name', yonder]);
  for (const end of CABLE) await run('ip', ['link', 'set', end, 'up']);
  await run('ip', ['netns', 'add', OUTER]);
  await outerIp('link', 'add', 'docker0', 'type', 'bridge');
  await outerIp('address', 'add', `${OUTSIDE}.1/24`, 'dev', 'docker0');
  const peer = ['type', 'veth', 'peer', 'name', 'veth0', 'netns', OUTER];
  await run('ip', ['link', 'add', DEVICE, ...peer]);
  await outerIp('link', 'set', 'veth0', 'master', 'docker0', 'up');
  await outerIp('link', 'set', 'docker0', 'up');
  await run('ip', ['address', 'add', `${OUTSIDE}.240/24`, 'dev', DEVICE]);
  await run('ip', ['link', 'set', DEVICE, 'up']);

  dataDir = await mkdtemp(join(tmpdir(), 'cumulet-given-'));
  const tunnel = { device: here, address: '192.0.2.1/24' };
  test = await TestHost.start({ listen: LISTEN, tunnel, physicalNetworks: [] });
  await startAgent();
  await test.followHost('there', {
    namespace: namespaceOf(folder()),
    switchDatabase: socketOf(folder(), 'switch'),
  });
  network = cloud.networkSpec(cloud.subnetSpec('10.0.1.0/24'));
  external = {
    ...cloud.networkSpec(cloud.subnetSpec(`${OUTSIDE}.0/24`, { gatewayIp: `${OUTSIDE}.1` })),
    networkType: 'flat',
    physicalNetwork: 'public',
    segmentationId: null,
  };
  const group = cloud.groupSpec(cloud.rule({ protocol: 'icmp' }), cloud.tcp(80));
  for (const each of [network, external]) await test.dataPlane.ensureNetwork(each);
  await test.dataPlane.ensureSecurityGroup(group);
  const on = { securityGroups: [group.id], host: 'there' };
  const port = cloud.portSpec(network, ['10.0.1.11'], on);
  guest = await cloud.guestOn(test, port);
  await guest.ip('route', 'add', 'default', 'via', '10.0.1.1');
  await guest.serve(80);
  const at = { networkId: external.id, address: FLOATING };
  const to = { fixedAddress: '10.0.1.11', fixedPortId: port.id };
  router = {
    id: randomUUID(),
    adminStateUp: true,
    routes: [],
    portForwardings: [],
    availabilityZones: [],
    interfaces: [cloud.routerPortSpec(network, '10.0.1.1')],
    gateways: [
      { ...cloud.routerPortSpec(external, `${OUTSIDE}.2`), enableSnat: true, qos: NO_QOS },
    ],
    floatingIps: [{ id: randomUUID(), macAddress: newMac(), ...at, ...to, qos: NO_QOS }],
  };
  await test.dataPlane.ensureRouter(router);
});
afterAll(async () => {
  await agent.terminate();
  await agentProcess(DEVICE, 'leave').ended();
  await test.stop();
  await run('ip', ['netns', 'delete', OUTER]);
  await run('ip', ['link', 'delete', CABLE[0]]);
  await rm(dataDir, { recursive: true });
});

it('answers at floating IPs, and no longer at its own address', async () => {
  await eventually('the floating IP answers', answers);
  expect(await machine.pings(`${OUTSIDE}.240`, outer)).toBe(false);
});

it('leads guests out', async () => {
  const server = await machine.serveIn(OUTER, 81);
  await eventually('the outside answers', () => guest.reaches(`${OUTSIDE}.1`, 81));
  server.kill('SIGKILL');
});

it('hears of the router that has a floating IP now', async () => {
  await eventually('the floating IP answers', answers);
  await test.dataPlane.removeRouter(router.id);
  const gateway = cloud.routerPortSpec(external, `${OUTSIDE}.3`);
  router = {
    ...router,
    id: randomUUID(),
    interfaces: [cloud.routerPortSpec(network, '10.0.1.1')],
    gateways: [{ ...gateway, enableSnat: true, qos: NO_QOS }],
  };
  await test.dataPlane.ensureRouter(router);
  // Nothing is sent there, so nobody asks.
  await eventually('its MAC address is known', async () =>
    (await outerIp('neighbour', 'show', FLOATING)).includes(gateway.macAddress),
  );
});

it.each(['kill', 'terminate'] as const)(
  'stays after the %s of the agent, and its successor adopts it',
  async (end) => {
    await eventually('the floating IP answers', answers);
    const before = await heldIn(namespaceOf(folder()));
    expect(before).toMatchObject([{ device: DEVICE, addresses: [`${OUTSIDE}.240/24`] }]);
    await agent[end]();
    expect(await answers()).toBe(true);
    // By its name, since it has no address now.
    await startAgent(end === 'kill' ? DEVICE : undefined);
    expect(await answers()).toBe(true);
    expect(await heldIn(namespaceOf(folder()))).toEqual(before);
  },
);

it('returns with its address once the host leaves, and is taken again', async () => {
  await agent.terminate();
  await test.clear();
  expect(await agentProcess(DEVICE, 'leave').ended()).toBe(0);
  await eventually('its own address answers', () => machine.pings(`${OUTSIDE}.240`, outer));
  const alias = await run('ip', ['-json', 'link', 'show', 'dev', DEVICE]);
  expect(alias).not.toContain('cumulet');
  await startAgent();
  expect(await heldIn(namespaceOf(folder()))).toMatchObject([{ device: DEVICE }]);
});

it('fails the start if it does not exist', async () => {
  await agent.terminate();
  const failing = agentProcess('203.0.113.0/24');
  expect(await failing.ended()).toBe(1);
});
