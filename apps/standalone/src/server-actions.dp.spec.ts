/** What is done to a server: a real guest of QEMU on OVN, through the APIs alone. */
import 'reflect-metadata';
import { access } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import { eventually } from '@cumulet/testing/settle';
import { devicesOf, processesOf } from './guest-traces.fixture.js';
import { MicroCloud } from './micro-cloud.fixture.js';

const LIMIT_MS = 1_800_000;
const NANO = '42';
const MICRO = '84';
const ADDRESS = '10.11.0.11';

/** Tells each that connects which of its boots it is. */
const TELLING = [
  'boot=$(cat /proc/sys/kernel/random/boot_id)',
  'echo "boot is $boot"',
  'while true; do { echo $boot; sleep 1; } | nc -l -p 7000; done',
];
const ASKING = [
  'while true; do',
  `  sleep 1 | timeout 10 nc ${ADDRESS} 7000 >/tmp/a 2>/dev/null`,
  '  [ ! -s /tmp/a ] || echo "reached $(cat /tmp/a)"',
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
  { body: () => ({ 'os-stop': null }), status: 'SHUTOFF' },
  { body: () => ({ 'os-start': null }), status: 'ACTIVE', boots: true },
  { body: () => ({ reboot: { type: 'SOFT' } }), status: 'ACTIVE', boots: true },
  { body: () => ({ reboot: { type: 'HARD' } }), status: 'ACTIVE', boots: true },
  { body: () => ({ pause: null }), status: 'PAUSED' },
  { body: () => ({ unpause: null }), status: 'ACTIVE', reached: true },
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

const show = (id: string): Promise<Shown> => cloud.get<Shown>(`/compute/v2.1/servers/${id}`);

const bootOf = async (id: string): Promise<string> =>
  /.*boot is (\S+)\n/s.exec(await cloud.consoleOf(id))?.[1] ?? '';

it(
  'goes through all that is done to a server, which others reach, and leaves no trace',
  async () => {
    const network = await cloud.network('inner', '10.11.0.0/24');
    await cloud.openGroup('told', 7000);
    const one = await cloud.server('one', TELLING, {
      flavorRef: NANO,
      security_groups: [{ name: 'told' }],
      networks: [{ uuid: network.id, fixed_ip: ADDRESS }],
    });
    const more = { flavorRef: NANO, networks: [{ uuid: network.id }] };
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
    const folders = (await processesOf([one, other])).map(({ folder }) => folder);
    expect(folders.filter((folder) => /\/(?:[0-9a-f]+-){4}[0-9a-f]+$/.test(folder))).toHaveLength(
      2,
    );

    for (const step of STEPS) {
      const body = step.body(cloud.image);
      const [name = ''] = Object.keys(body);
      await cloud.create(`/compute/v2.1/servers/${one}/action`, body);
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
    await eventually('no device is left', async () => (await devicesOf(ports)).length === 0);
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
