/**
 * Servers on networks, and what is done to them, as only a whole cloud shows it: real guests of QEMU on OVN,
 * through the APIs alone. The driver's contract has their power, resets and pauses.
 */
import 'reflect-metadata';
import { access } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import { eventually } from '@cumulet/testing/settle';
import { devicesOf, processesOf } from './guest-traces.fixture.js';
import { MicroCloud } from './micro-cloud.fixture.js';

const LIMIT_MS = 1_800_000;
const SERVERS = '/compute/v2.1/servers';
const NANO = '42';
const MICRO = '84';
const ADDRESS = '10.11.0.11';
const OTHER_ADDRESS = '10.11.0.12';
/** That its security group opens, and one that it does not. */
const [OPEN, CLOSED] = [7000, 7001];

/** Tells each that connects which of its boots it is. */
const TELLING = [
  'boot=$(cat /proc/sys/kernel/random/boot_id)',
  'echo "boot is $boot"',
  `while true; do { echo closed; sleep 1; } | nc -l -p ${CLOSED}; done &`,
  `while true; do { echo $boot; sleep 1; } | nc -l -p ${OPEN}; done`,
];
/** Tells whom it reaches, once what it gets of the closed port, and each change of its second NIC. */
const ASKING = [
  'while true; do',
  `  sleep 1 | timeout 10 nc ${ADDRESS} ${OPEN} >/tmp/a 2>/dev/null`,
  '  [ ! -s /tmp/a ] || echo "reached $(cat /tmp/a)"',
  '  if [ -s /tmp/a ] && [ ! -e /tmp/b ]; then',
  `    sleep 3 | timeout 4 nc ${ADDRESS} ${CLOSED} >/tmp/b 2>/dev/null`,
  `    echo "${CLOSED} <$(cat /tmp/b)>"`,
  '  fi',
  '  now=$(cat /sys/class/net/eth1/address 2>/dev/null)',
  '  [ "$now" = "$was" ] || echo "eth1 is ${now:-gone}"',
  '  was=$now',
  '  sleep 1',
  'done',
];

/** In this order. `boots`: another boot of the guest follows; `reached`: the other server reaches it. */
const STEPS: readonly {
  readonly body: (image: string) => Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly boots?: true;
  readonly reached?: true;
}[] = [
  { body: () => ({ suspend: null }), status: 'SUSPENDED' },
  { body: () => ({ resume: null }), status: 'ACTIVE', reached: true },
  {
    body: () => ({ resize: { flavorRef: MICRO } }),
    status: 'VERIFY_RESIZE',
    boots: true,
    reached: true,
  },
  { body: () => ({ confirmResize: null }), status: 'ACTIVE' },
  { body: () => ({ createImage: { name: 'copy' } }), status: 'ACTIVE', reached: true },
  {
    body: (image) => ({ rebuild: { imageRef: image } }),
    status: 'ACTIVE',
    boots: true,
    reached: true,
  },
  { body: () => ({ shelve: null }), status: 'SHELVED_OFFLOADED' },
  { body: () => ({ unshelve: null }), status: 'ACTIVE', boots: true, reached: true },
  { body: () => ({ rescue: null }), status: 'RESCUE', boots: true },
  { body: () => ({ unrescue: null }), status: 'ACTIVE', boots: true, reached: true },
];

interface Shown {
  readonly status: string;
  readonly 'OS-EXT-STS:task_state': string | null;
  readonly flavor: { readonly ram: number };
}

let cloud: MicroCloud;

beforeAll(async () => {
  cloud = await MicroCloud.start();
}, MICRO_BUILD_TIMEOUT_MS);
afterAll(() => cloud.stop(), 120_000);

const show = (id: string): Promise<Shown> => cloud.get<Shown>(`${SERVERS}/${id}`);

const bootOf = async (id: string): Promise<string> =>
  /.*boot is (\S+)\n/s.exec(await cloud.consoleOf(id))?.[1] ?? '';

interface Attached {
  readonly port_id: string;
  readonly mac_addr: string;
}

const attach = (server: string, network: { readonly id: string }): Promise<Attached> =>
  cloud.create(`${SERVERS}/${server}/os-interface`, {
    interfaceAttachment: { net_id: network.id },
  });

it(
  'supports every server action, is reachable through its security group, and leaves nothing behind',
  async () => {
    const network = await cloud.network('inner', '10.11.0.0/24');
    await cloud.openGroup('told', OPEN);
    const one = await cloud.server('one', TELLING, {
      flavorRef: NANO,
      security_groups: [{ name: 'told' }],
      networks: [{ uuid: network.id, fixed_ip: ADDRESS }],
    });
    const more = { flavorRef: NANO, networks: [{ uuid: network.id, fixed_ip: OTHER_ADDRESS }] };
    const other = await cloud.server('other', ASKING, more);
    let boot = '';
    const booted = async (): Promise<void> => {
      const was = boot;
      await cloud.until('it has booted', async () => ![was, ''].includes(await bootOf(one)), one);
      boot = await bootOf(one);
    };
    const times = async (): Promise<number> =>
      (await cloud.consoleOf(other)).split(`reached ${boot}\n`).length - 1;
    const reached = async (): Promise<void> => {
      const was = await times();
      // One answer may be from before.
      await cloud.until(`${boot} is reached`, async () => (await times()) > was + 1, one, other);
    };
    await booted();
    await reached();
    const ports = await cloud.serverPorts();
    expect(ports).toHaveLength(2);
    expect(await devicesOf(ports)).toHaveLength(2);
    await cloud.shows(other, `${CLOSED} <>`);
    expect(await cloud.consoleOf(other)).toContain(`cumulet: address ${OTHER_ADDRESS}`);
    expect(await show(one)).toMatchObject({ addresses: { inner: [{ addr: ADDRESS }] } });
    const folders = (await processesOf([one, other])).map(({ folder }) => folder);
    expect(folders.filter((folder) => /\/(?:[0-9a-f]+-){4}[0-9a-f]+$/.test(folder))).toHaveLength(
      2,
    );

    const second = await cloud.network('second', '10.10.0.0/24');
    const attached = await attach(other, second);
    await cloud.shows(other, `eth1 is ${attached.mac_addr}`);
    await cloud.delete(`${SERVERS}/${other}/os-interface/${attached.port_id}`);
    await cloud.shows(other, 'eth1 is gone');
    const isDetached = async () => !(await cloud.serverPorts()).includes(attached.port_id);
    await eventually('the port is gone', isDetached);

    for (const step of STEPS) {
      const body = step.body(cloud.image);
      const [name = ''] = Object.keys(body);
      await cloud.create(`${SERVERS}/${one}/action`, body);
      const isDone = async (): Promise<boolean> => {
        const { status, 'OS-EXT-STS:task_state': task } = await show(one);
        if (status === 'ERROR') throw new Error(JSON.stringify(await show(one)));
        return status === step.status && task === null;
      };
      await cloud.until(`${name} is done`, isDone, one);
      if (step.boots) await booted();
      if (step.reached) await reached();
    }
    expect((await show(one)).flavor).toMatchObject({ ram: 256 });

    for (const id of [one, other]) await cloud.deleteServer(id);
    await cloud.untilNoServers();
    expect(await cloud.serverPorts()).toEqual([]);
    const all = [...ports, attached.port_id];
    await eventually('no device is left', async () => (await devicesOf(all)).length === 0);
    expect(await processesOf([one, other])).toEqual([]);
    // That of shelving is not kept, and the one that was asked for is.
    const images = async (): Promise<string[]> =>
      (await cloud.get<{ name: string; status: string }[]>('/image/v2/images'))
        .map(({ name, status }) => `${name} ${status}`)
        .sort();
    expect(await images()).toEqual(['copy active', 'micro active']);
    for (const folder of folders)
      await expect(access(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  },
  LIMIT_MS,
);

it(
  'adds a NIC to a server that was started without one',
  async () => {
    const network = await cloud.network('later', '10.8.0.0/24');
    const script = [
      'until [ -e /sys/class/net/eth0 ]; do sleep 1; done',
      'echo "eth0 is $(cat /sys/class/net/eth0/address)"',
    ];
    const id = await cloud.server('bare', script, { networks: 'none' });
    await cloud.shows(id, 'cumulet: address none');
    const { mac_addr } = await attach(id, network);
    await cloud.shows(id, `eth0 is ${mac_addr}`);
    await cloud.deleteServer(id);
    await cloud.untilNoServers();
  },
  LIMIT_MS,
);
