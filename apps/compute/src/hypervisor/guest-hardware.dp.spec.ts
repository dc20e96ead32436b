/** Hardware that images and flavors ask for, under real guests. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { BootImage } from './boot-image.js';
import { cache, expectGreetings, guestFrom, imageOf } from './contract/harness.fixture.js';
import { QemuWorld } from './contract/qemu-world.fixture.js';
import { STANDARD_HARDWARE, type GuestHardware } from './ports/guest-hardware.js';
import { waitUntil } from './wait-until.js';

let world: QemuWorld;
let image: BootImage;
const made: string[] = [];

beforeAll(async () => {
  world = await QemuWorld.open(process.env['PATH']);
  image = await cache(world.driver, imageOf(world.bootImage));
});
afterEach(async () => {
  for (const id of made.splice(0)) await world.driver.guests.destroy(id);
});
afterAll(() => world.close());

async function started(hardware: Partial<GuestHardware>): Promise<string> {
  const guest = guestFrom(image, {
    vcpus: 2,
    memoryMb: 128,
    hardware: { ...STANDARD_HARDWARE, ...hardware },
  });
  made.push(guest.id);
  await world.driver.disks.ensureDisk(guest);
  await world.driver.machines.ensureRunning(guest);
  return guest.id;
}

it.each<Partial<GuestHardware>>([
  { diskBus: 'scsi', cdromBus: 'scsi' },
  { diskBus: 'sata', machine: 'q35', cdromBus: 'sata' },
  { diskBus: 'ide', cdromBus: 'ide' },
  { diskBus: 'usb', video: 'cirrus', videoMb: 8 },
  { machine: 'q35', guestAgent: true, inputBus: 'usb', serialPorts: 4 },
  { rng: { bytes: 1024, periodMs: 1000 }, watchdog: 'poweroff', inputBus: 'virtio' },
  { rng: undefined, video: 'none', diskLimits: { readBytes: 10 ** 6, totalRequests: 1000 } },
  { topology: { sockets: 1, cores: 1, threads: 2 }, video: 'virtio', bootMenu: true },
])('a guest boots with %j', async (hardware) => {
  await expectGreetings(world, await started(hardware), 1);
});

it('UEFI starts with variables of the guest, which it keeps', async () => {
  const id = await started({ firmware: 'uefi', machine: 'q35' });
  const seen = async (): Promise<boolean> =>
    (await world.driver.consoles.consoleOutput(id)).includes('BdsDxe');
  await waitUntil(seen, 60_000, 100);
  expect(await seen()).toBe(true);
  const variables = await readFile(world.file(id, 'uefi-variables.fd'));
  expect(variables.includes(Buffer.from('Boot0000', 'utf16le'))).toBe(true);
}, 90_000);
