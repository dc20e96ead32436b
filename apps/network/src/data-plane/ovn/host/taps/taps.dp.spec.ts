/** The devices that a host creates for hypervisors: their owners, and their removal. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { tapOf, type NetworkSpec, type PortSpec } from '../../../data-plane.js';
import * as cloud from '../../test-cloud.fixture.js';
import { planPlug } from '../switch-rows.js';
import { inNamespace } from '../switch-namespace.js';
import { HOST, TestHost } from '../test-host.fixture.js';
import { makeTap, tapsIn } from './tap-devices.js';
import { Taps } from './taps.js';

const EVERYBODY = 65_534;
const GUEST = 1_865_000_001;

let test: TestHost;
let taps: Taps;
let failures: unknown[];
let network: NetworkSpec;
let port: PortSpec;

const startTaps = (): void => {
  const { central, chassis } = test.host;
  const databases = { southbound: central.southbound, switchDatabase: chassis.switchDatabase };
  taps = new Taps(
    {
      namespace: chassis.namespace,
      host: HOST,
      uid: EVERYBODY,
      ...databases,
      ethtool: test.ethtool,
    },
    { failed: (error) => failures.push(error) },
  );
  taps.start();
};

interface Shown {
  readonly ifindex: number;
  readonly mtu: number;
  readonly flags: readonly string[];
}

/** Undefined where there is none. */
const shown = async (id: string): Promise<Shown | undefined> => {
  const args = ['-json', 'link', 'show'];
  const all = JSON.parse(await inNamespace(test.host.chassis.namespace, 'ip', args)) as (Shown & {
    readonly ifname: string;
  })[];
  return all.find(({ ifname }) => ifname === tapOf(id));
};

/** Opens the device as a hypervisor does, until it is killed. */
const openIn = async (namespace: string, device: string): Promise<ChildProcess> => {
  const nic = `tap,id=nic,ifname=${device},script=no,downscript=no`;
  const machine = ['-machine', 'none', '-nodefaults', '-display', 'none', '-netdev', nic];
  const args = [`--net=/run/netns/${namespace}`, 'qemu-system-x86_64', ...machine];
  const child = spawn('nsenter', args, { stdio: 'ignore' });
  await once(child, 'spawn');
  return child;
};

const devices = () => tapsIn(test.host.chassis.namespace);

const bind = async (changes: Partial<PortSpec> = {}): Promise<void> => {
  port = { ...port, host: HOST, tap: { uid: GUEST }, ...changes };
  await test.dataPlane.ensurePort(port);
};

beforeAll(async () => {
  test = await TestHost.start();
});
afterAll(() => test.stop());
beforeEach(async () => {
  failures = [];
  network = cloud.networkSpec(cloud.subnetSpec('10.0.1.0/24'));
  await test.dataPlane.ensureNetwork(network);
  port = cloud.portSpec(network, ['10.0.1.11'], { host: null });
  startTaps();
});
afterEach(async () => {
  await test.clear();
  await eventually('nothing is left', async () => (await devices()).length === 0);
  await taps.stop();
  expect(failures).toEqual([]);
});

describe('a port that is bound to this host', () => {
  it("has a device of the requested user with the network's MTU, and is up", async () => {
    await bind();
    await eventually('the port is up', () => test.isUp(port.id));
    expect(await devices()).toEqual([{ device: tapOf(port.id), uid: GUEST }]);
    const device = await shown(port.id);
    expect(device?.mtu).toBe(network.mtu);
    expect(device?.flags).toContain('UP');
  });

  it("has a device of the host's user by default", async () => {
    await bind({ tap: { uid: null } });
    await eventually('the port is up', () => test.isUp(port.id));
    expect(await devices()).toEqual([{ device: tapOf(port.id), uid: EVERYBODY }]);
  });

  it('has a device even if that of another port cannot be created', async () => {
    const inSwitch = (...args: string[]) =>
      inNamespace(test.host.chassis.namespace, 'ip', ['link', ...args]);
    const other = cloud.portSpec(network, ['10.0.1.12'], { tap: { uid: GUEST } });
    await inSwitch('add', tapOf(other.id), 'type', 'veth', 'peer', 'name', 'in-the-way');
    await test.dataPlane.ensurePort(other);
    await eventually('it has failed', () => failures.length > 0);
    await bind();
    await eventually('the port is up', () => test.isUp(port.id));
    expect(failures).toHaveLength(1);
    await inSwitch('delete', tapOf(other.id));
    await eventually('the other is up', () => test.isUp(other.id));
    failures = [];
  });

  it('has none if whoever plugs it in brings one', async () => {
    await bind({ tap: null });
    const other = cloud.portSpec(network, ['10.0.1.12'], { tap: { uid: null } });
    await test.dataPlane.ensurePort(other);
    await eventually('the other is up', () => test.isUp(other.id));
    expect((await devices()).map(({ device }) => device)).toEqual([tapOf(other.id)]);
  });

  it('follows changes of its network and user', async () => {
    await bind();
    await eventually('the port is up', () => test.isUp(port.id));
    network = { ...network, mtu: 1300 };
    await test.dataPlane.ensureNetwork(network);
    await eventually('it is smaller', async () => (await shown(port.id))?.mtu === 1300);
    await bind({ tap: { uid: GUEST + 1 } });
    await eventually('it is of the other', async () => (await devices())[0]?.uid === GUEST + 1);
    await eventually('the port is up', () => test.isUp(port.id));
  });

  it.each([
    ['unbound', () => test.dataPlane.ensurePort({ ...port, host: null })],
    ['bound to another host', () => test.dataPlane.ensurePort({ ...port, host: 'there' })],
    ['gone', () => test.dataPlane.removePort(port.id)],
  ])('leaves nothing once it is %s', async (_, change) => {
    await bind();
    await eventually('the port is up', () => test.isUp(port.id));
    await change();
    await eventually('the device is gone', async () => (await shown(port.id)) === undefined);
    await test.switchDatabase.catchUp();
    const names = [...test.switchDatabase.rows.of('Port').values()].map(({ name }) => name);
    expect(names).not.toContain(tapOf(port.id));
    await eventually('the port is down', () => !test.isUp(port.id));
  });
});

it('keeps the device that a guest has open while the database does not know its port', async () => {
  await bind();
  await eventually('the port is up', () => test.isUp(port.id));
  const guest = await openIn(test.host.chassis.namespace, tapOf(port.id));
  await eventually('it is open', async () => {
    return (await shown(port.id))?.flags.includes('LOWER_UP') === true;
  });
  const before = await shown(port.id);
  await test.dataPlane.removePort(port.id);
  const other = cloud.portSpec(network, ['10.0.1.12'], { tap: { uid: GUEST } });
  await test.dataPlane.ensurePort(other);
  await eventually('the other is up', () => test.isUp(other.id));
  expect((await shown(port.id))?.ifindex).toBe(before?.ifindex);
  await test.dataPlane.ensurePort(port);
  await eventually('the port is up', () => test.isUp(port.id));
  expect((await shown(port.id))?.ifindex).toBe(before?.ifindex);
  await test.dataPlane.removePort(port.id);
  guest.kill('SIGKILL');
  await eventually('the device is gone', async () => (await shown(port.id)) === undefined);
});

describe('the next process', () => {
  it('adopts what is in use, and removes what a crash has left', async () => {
    await bind();
    await eventually('the port is up', () => test.isUp(port.id));
    const before = await shown(port.id);
    await taps.stop();
    const { namespace } = test.host.chassis;
    await makeTap(namespace, { device: 'tap00000000-00', uid: EVERYBODY });
    const gone = planPlug('tap11111111-11', 'gone', { 'cumulet:mtu': '1442' });
    await test.switchDatabase.transact(gone);
    startTaps();
    await eventually('the device is gone', async () => (await devices()).length === 1);
    const names = (): unknown[] =>
      [...test.switchDatabase.rows.of('Port').values()].map(({ name }) => name);
    await eventually('its port is gone', () => !names().includes('tap11111111-11'));
    expect((await shown(port.id))?.ifindex).toBe(before?.ifindex);
    expect(names()).toContain(tapOf(port.id));
  });

  it('recreates what is missing, as after a restart of the machine', async () => {
    await bind();
    await eventually('the port is up', () => test.isUp(port.id));
    await taps.stop();
    const args = ['link', 'delete', 'dev', tapOf(port.id)];
    await inNamespace(test.host.chassis.namespace, 'ip', args);
    startTaps();
    await eventually('the device is there', async () => (await shown(port.id)) !== undefined);
    await eventually('the port is up', () => test.isUp(port.id));
  });
});
