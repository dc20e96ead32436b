/** Hardware that images and flavors ask for, under real guests. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { BootImage } from './boot-image.js';
import {
  cache,
  expectFailure,
  expectGreetings,
  guestFrom,
  imageOf,
  PATIENCE_MS,
} from './contract/harness.fixture.js';
import { QemuWorld } from './contract/qemu-world.fixture.js';
import { bootableCd, tinyGuest } from './contract/tiny-guest.fixture.js';
import {
  STANDARD_HARDWARE,
  type GuestHardware,
  type RescueDevice,
} from './ports/guest-hardware.js';
import { runProgram } from './qemu/run-program.js';
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

it('UEFI keeps variables for each guest', async () => {
  const id = await started({ firmware: 'uefi', machine: 'q35' });
  const seen = async (): Promise<boolean> =>
    (await world.driver.consoles.consoleOutput(id)).includes('BdsDxe');
  await waitUntil(seen, 60_000, 100);
  expect(await seen()).toBe(true);
  const variables = await readFile(world.file(id, 'uefi-variables.qcow2'));
  expect(variables.includes(Buffer.from('Boot0000', 'utf16le'))).toBe(true);
  await world.driver.machines.suspend(id);
  expect(await world.driver.machines.state(id)).toBe('absent');
}, 90_000);

/** A disk's content as the guest sees it. */
async function contentOf(guestId: string, file: string): Promise<Buffer> {
  const raw = `${world.file(guestId, file)}.seen`;
  const options = ['convert', '-U', '-f', 'qcow2', '-O', 'raw'];
  const { qemuImg } = world.options.programs;
  await runProgram(qemuImg, [...options, world.file(guestId, file), raw], {
    timeoutMs: PATIENCE_MS,
  });
  return readFile(raw);
}

it.each(['virtio', 'scsi'] as const)(
  'a guest has its local disks at %s, with their file systems, and keeps them',
  async (diskBus) => {
    const guest = guestFrom(image, {
      memoryMb: 128,
      hardware: { ...STANDARD_HARDWARE, diskBus, diskLimits: { totalRequests: 10_000 } },
      localDisks: [
        { sizeMb: 16, format: 'ext4', label: 'ephemeral0' },
        { sizeMb: 8, format: 'swap' },
      ],
    });
    made.push(guest.id);
    const { disks, machines } = world.driver;
    await disks.ensureDisk(guest);
    await machines.ensureRunning(guest);
    await expectGreetings(world, guest.id, 1);
    expect((await machines.diagnostics(guest.id)).disks).toHaveLength(4);
    const [first, second] = await Promise.all(
      [0, 1].map((at) => contentOf(guest.id, `disk.local${at}`)),
    );
    // ext4's magic number, and the volume's name ("ext4 Data Structures", Super Block).
    expect(first?.readUInt16LE(1024 + 56)).toBe(0xef53);
    expect(first?.subarray(1024 + 120, 1024 + 130).toString()).toBe('ephemeral0');
    expect([first?.length, second?.length]).toEqual([16 * 1024 ** 2, 8 * 1024 ** 2]);
    expect(second?.subarray(4086, 4096).toString()).toBe('SWAPSPACE2');

    await machines.suspend(guest.id);
    await machines.ensureRunning(guest);
    expect(await machines.state(guest.id)).toBe('running');
    await disks.ensureDisk(guest);
    expect(await contentOf(guest.id, 'disk.local1')).toEqual(second);

    await machines.powerOff(guest.id);
    await rm(world.file(guest.id, 'disk.local1'));
    await expectFailure(machines.ensureRunning(guest), 'not-ready', /lost a disk/);
  },
);

it('an ephemeral disk grows with its content, and is restored; swap is made anew', async () => {
  const ephemeral = { sizeMb: 16, format: 'ext4', label: 'ephemeral0', at: 0 } as const;
  const guest = guestFrom(image, {
    hardware: { ...STANDARD_HARDWARE, diskLimits: { totalRequests: 10_000 } },
    localDisks: [ephemeral, { sizeMb: 8, format: 'swap', at: 1 }],
  });
  const larger = {
    ...guest,
    localDisks: [
      { ...ephemeral, sizeMb: 32 },
      { sizeMb: 4, format: 'swap', at: 2 },
    ],
  } as const;
  const { disks, machines } = world.driver;
  const content = (at: number) => contentOf(guest.id, `disk.local${at}`);
  const length = async (at: number) => (await content(at)).length / 1024 ** 2;
  /** Numbers of the local disks that exist. */
  const numbers = async (): Promise<string[]> => {
    const names = await readdir(dirname(world.file(guest.id, 'disk.qcow2')));
    return names.flatMap((name) => /^disk\.local(\d+)$/.exec(name)?.[1] ?? []).sort();
  };
  made.push(guest.id);
  await disks.ensureDisk(guest);
  const [first, swap] = [await content(0), await content(1)];

  // The second time is as after a crash.
  for (let time = 0; time < 2; time += 1) {
    await disks.keepDisk(guest.id);
    await disks.growDisk(larger);
  }
  await machines.ensureRunning(larger);
  await expectGreetings(world, guest.id, 1);
  expect([await length(0), await length(2)]).toEqual([32, 4]);
  expect((await content(0)).subarray(0, first.length).equals(first)).toBe(true);
  expect((await content(2)).subarray(4086, 4096).toString()).toBe('SWAPSPACE2');

  await machines.powerOff(guest.id);
  await disks.restoreDisk(guest.id);
  await disks.forgetKeptDisk(guest);
  expect([(await content(0)).equals(first), (await content(1)).equals(swap)]).toEqual([true, true]);
  expect(await numbers()).toEqual(['0', '1']);

  await disks.keepDisk(guest.id);
  await disks.growDisk(larger);
  await machines.ensureRunning(larger);
  await disks.forgetKeptDisk(larger);
  expect(await numbers()).toEqual(['0', '2']);
  await machines.powerOff(guest.id);
  await disks.restoreDisk(guest.id);
  expect(await length(0)).toBe(32);
});

it('an ephemeral disk has its content on another host, where it may be larger', async () => {
  const ephemeral = { sizeMb: 16, format: 'ext4', label: 'ephemeral0' } as const;
  const guest = guestFrom(image, { localDisks: [ephemeral] });
  made.push(guest.id);
  const { disks, copies } = world.driver;
  await disks.ensureDisk(guest);
  const { qemuImg } = world.options.programs;
  const write = ['-f', 'qcow2', '-c', 'write -P 0xab 1M 64k', world.file(guest.id, 'disk.local0')];
  await runProgram(join(dirname(qemuImg), 'qemu-io'), write, { timeoutMs: PATIENCE_MS });
  // As after an unconfirmed resize: the copy is of the disk as it is now.
  await disks.keepDisk(guest.id);
  const copyId = randomUUID();
  expect(await copies.copyDisk(guest, copyId, 0)).toBe(true);
  const { data } = await copies.openCopy(guest.id, copyId);
  const content = imageOf(await buffer(data), { diskFormat: 'qcow2' });
  const before = await contentOf(guest.id, 'disk.local0');
  expect(before.subarray(1024 ** 2, 1024 ** 2 + 65_536).equals(Buffer.alloc(65_536, 0xab))).toBe(
    true,
  );
  await world.driver.guests.destroy(guest.id);

  const there = {
    ...guest,
    localDisks: [{ ...ephemeral, sizeMb: 32, content: await cache(world.driver, content) }],
  };
  await disks.ensureDisk(there);
  const after = await contentOf(guest.id, 'disk.local0');
  expect(after.length).toBe(32 * 1024 ** 2);
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  const names = await readdir(dirname(world.file(guest.id, 'disk.qcow2')));
  expect(names.filter((name) => !name.endsWith('.seen')).sort()).toEqual([
    'disk.local0',
    'disk.qcow2',
  ]);

  // Needs the image no longer, and is resized as any other.
  await disks.keepDisk(guest.id);
  await disks.growDisk({ ...guest, localDisks: [{ ...ephemeral, sizeMb: 48 }] });
  await disks.restoreDisk(guest.id);
  expect((await contentOf(guest.id, 'disk.local0')).equals(after)).toBe(true);
  await world.driver.machines.ensureRunning(there);
  await expectGreetings(world, guest.id, 1);
});

it.each<[RescueDevice, Partial<GuestHardware>]>([
  [{ kind: 'disk', bus: 'virtio' }, {}],
  [{ kind: 'disk', bus: 'scsi' }, { diskBus: 'scsi' }],
  [{ kind: 'disk', bus: 'usb' }, { machine: 'q35' }],
  [{ kind: 'cdrom', bus: 'ide' }, { cdromBus: 'ide' }],
  [
    { kind: 'cdrom', bus: 'sata' },
    { machine: 'q35', diskBus: 'sata' },
  ],
  [{ kind: 'floppy', bus: 'fdc' }, {}],
  [{ kind: 'floppy', bus: 'fdc' }, { machine: 'q35' }],
])('a guest is rescued from %j, with hardware of %j', async (rescueDevice, hardware) => {
  const text = 'the rescue is up';
  const disk = tinyGuest({ text: `${text}\r\n` });
  const content = rescueDevice.kind === 'cdrom' ? bootableCd(disk) : disk;
  const guest = guestFrom(image, {
    hardware: { ...STANDARD_HARDWARE, ...hardware },
    localDisks: [{ sizeMb: 8, format: 'swap' }],
    rescue: await cache(world.driver, imageOf(content)),
    rescueDevice,
  });
  made.push(guest.id);
  const { disks, machines, consoles } = world.driver;
  await disks.ensureDisk(guest);
  await disks.ensureRescueDisk(guest);
  await machines.ensureRunning(guest);
  const seen = async (): Promise<boolean> =>
    (await consoles.consoleOutput(guest.id)).includes(text);
  await waitUntil(seen, PATIENCE_MS);
  expect(await consoles.consoleOutput(guest.id)).toContain(text);
  await expectGreetings(world, guest.id, 0);
});
