/** Servers on networks: real guests of QEMU on OVN, through the APIs alone. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import { eventually } from '@cumulet/testing/settle';
import { devicesOf, processesOf } from './guest-traces.fixture.js';
import { MicroCloud } from './micro-cloud.fixture.js';

const LIMIT_MS = 1_800_000;

let cloud: MicroCloud;

beforeAll(async () => {
  cloud = await MicroCloud.start();
}, MICRO_BUILD_TIMEOUT_MS);
afterAll(() => cloud.stop(), 120_000);

it(
  'gives a server a network card that was started without one',
  async () => {
    const network = await cloud.network('later', '10.8.0.0/24');
    const script = [
      'until [ -e /sys/class/net/eth0 ]; do sleep 1; done',
      'echo "eth0 is $(cat /sys/class/net/eth0/address)"',
    ];
    const id = await cloud.server('bare', script, { networks: 'none' });
    await cloud.shows(id, 'cumulet: address none');
    const { mac_addr } = await cloud.create<{ mac_addr: string }>(
      `/compute/v2.1/servers/${id}/os-interface`,
      { interfaceAttachment: { net_id: network.id } },
    );
    await cloud.shows(id, `eth0 is ${mac_addr}`);
    await cloud.deleteServer(id);
    await cloud.untilNoServers();
  },
  LIMIT_MS,
);

it(
  'lets two servers of a network talk by their security group, and goes without a trace',
  async () => {
    const network = await cloud.network('inner', '10.9.0.0/24');
    await cloud.openGroup('web', 7000);
    const at = (address: string) => ({
      networks: [{ uuid: network.id, fixed_ip: address }],
      security_groups: [{ name: 'web' }],
    });
    const listening = [
      'while true; do { echo open; sleep 1; } | nc -l -p 7000; done &',
      'while true; do { echo closed; sleep 1; } | nc -l -p 7001; done &',
      'wait',
    ];
    const one = await cloud.server('one', listening, at('10.9.0.11'));
    const ask = (port: number, file: string): string =>
      `sleep 3 | timeout 4 nc 10.9.0.11 ${port} >${file} 2>/dev/null`;
    const asking = [
      `until ${ask(7000, '/tmp/a')}; grep -q open /tmp/a; do sleep 1; done`,
      ask(7001, '/tmp/b'),
      'echo "script: 7000 <$(cat /tmp/a)> 7001 <$(cat /tmp/b)>"',
      'until [ -e /sys/class/net/eth1 ]; do sleep 1; done',
      'echo "eth1 is $(cat /sys/class/net/eth1/address)"',
      'while [ -e /sys/class/net/eth1 ]; do sleep 1; done; echo "eth1 is gone"',
    ];
    const other = await cloud.server('other', asking, at('10.9.0.12'));
    await cloud.shows(other, 'script: 7000 <open> 7001 <>');
    expect(await cloud.consoleOf(other)).toContain('cumulet: address 10.9.0.12');
    const shown = await cloud.get<{ addresses: object }>(`/compute/v2.1/servers/${one}`);
    expect(shown.addresses).toMatchObject({ inner: [{ addr: '10.9.0.11' }] });
    const ports = await cloud.serverPorts();
    expect(ports).toHaveLength(2);
    expect(await devicesOf(ports)).toHaveLength(2);

    const second = await cloud.network('second', '10.10.0.0/24');
    const attached = await cloud.create<{ port_id: string; mac_addr: string }>(
      `/compute/v2.1/servers/${other}/os-interface`,
      { interfaceAttachment: { net_id: second.id } },
    );
    await cloud.shows(other, `eth1 is ${attached.mac_addr}`);
    await cloud.delete(`/compute/v2.1/servers/${other}/os-interface/${attached.port_id}`);
    await cloud.shows(other, 'eth1 is gone');
    const isGone = async () => !(await cloud.serverPorts()).includes(attached.port_id);
    await eventually('the port is gone', isGone);

    for (const id of [one, other]) await cloud.deleteServer(id);
    await cloud.untilNoServers();
    expect(await cloud.serverPorts()).toEqual([]);
    const all = [...ports, attached.port_id];
    await eventually('no device is left', async () => (await devicesOf(all)).length === 0);
    expect(await processesOf([one, other])).toEqual([]);
  },
  LIMIT_MS,
);
