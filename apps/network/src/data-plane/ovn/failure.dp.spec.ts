/** Kills every daemon in turn: traffic, rows and port status recover. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { NetworkSpec, PortSpec, PortStatus, SecurityGroupSpec } from '../data-plane.js';
import { DAEMON_NAMES } from './host/daemons.js';
import type { TestGuest } from './host/test-guest.fixture.js';
import { TestHost } from './host/test-host.fixture.js';
import { MAIN_TABLES } from './rows/northbound.js';
import * as cloud from './test-cloud.fixture.js';

let test: TestHost;
let network: NetworkSpec;
let group: SecurityGroupSpec;
let ports: PortSpec[];
let one: TestGuest;
let other: TestGuest;

beforeAll(async () => {
  test = await TestHost.start();
  network = cloud.networkSpec(cloud.subnetSpec('10.0.1.0/24'));
  group = cloud.groupSpec(cloud.tcp(80));
  await test.dataPlane.ensureNetwork(network);
  await test.dataPlane.ensureSecurityGroup(group);
  ports = ['10.0.1.11', '10.0.1.12'].map((address) =>
    cloud.portSpec(network, [address], { securityGroups: [group.id] }),
  );
  [one, other] = (await Promise.all(ports.map((port) => cloud.guestOn(test, port)))) as [
    TestGuest,
    TestGuest,
  ];
  await other.serve(80);
  await other.serve(81);
  await eventually('the other answers', () => one.reaches('10.0.1.12', 80));
});
afterAll(() => test.stop());

/** Retries, as a reconciler does. */
async function told(changed: SecurityGroupSpec): Promise<void> {
  await eventually('the data plane is told', () =>
    test.dataPlane.ensureSecurityGroup(changed).then(
      () => true,
      () => false,
    ),
  );
}

describe('after SIGKILL of', () => {
  it.each(DAEMON_NAMES)('%s, everything recovers', async (name) => {
    const pid = test.host.pidOf(name);
    if (pid === undefined) throw new Error(`${name} does not run`);
    process.kill(pid, 'SIGKILL');
    await eventually(`${name} runs again`, () => ![pid, undefined].includes(test.host.pidOf(name)));
    await eventually('the other answers', () => one.reaches('10.0.1.12', 80));
    await told({ ...group, rules: [...group.rules, cloud.tcp(81)] });
    await eventually('what is opened is open', () => one.reaches('10.0.1.12', 81));
    await told(group);
    await eventually('it is closed', async () => !(await one.reaches('10.0.1.12', 81)));
    const { ports: held, networks } = await test.dataPlane.inventory();
    expect(networks).toEqual([network.id]);
    expect(held.map(({ isUp }) => isUp)).toEqual([true, true]);
  });
});

describe('the data plane', () => {
  it('repairs what somebody else has changed', async () => {
    const [first] = ports as [PortSpec];
    const at = { op: 'update', table: MAIN_TABLES.port, id: first.id } as const;
    await test.northbound.transact([
      { ...at, row: { port_security: [], dhcpv4_options: [] } },
      { op: 'delete', table: 'DHCP_Options', id: network.subnets[0]?.id ?? '' },
      { op: 'update', table: 'Port_Group', id: group.id, row: { acls: [] } },
    ]);
    await test.dataPlane.inventory();
    await test.northbound.catchUp();
    const acls = test.northbound.rows.find('Port_Group', group.id)?.['acls'];
    expect(acls).toHaveLength(group.rules.length);
    expect(test.northbound.rows.find(MAIN_TABLES.port, first.id)).toMatchObject({
      port_security: [`${first.macAddress} 10.0.1.11`],
      dhcpv4_options: [network.subnets[0]?.id],
    });
  });

  it('reports that a port goes down and comes up', async () => {
    const [first] = ports as [PortSpec];
    const told: PortStatus[] = [];
    const end = test.dataPlane.watch((status) => told.push(status));
    await test.unplug(one);
    await eventually('it is down', () => told.some(({ isUp }) => !isUp));
    one = await test.plug(first);
    await eventually('it is up', () => told.at(-1)?.isUp === true);
    end();
    expect(told.every(({ id }) => id === first.id)).toBe(true);
  });
});
