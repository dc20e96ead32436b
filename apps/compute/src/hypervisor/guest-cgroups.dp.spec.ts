/** Guests in control groups of this host, v1 or v2, or the reason that there are none. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BootImage } from './boot-image.js';
import { cache, expectGreetings, guestFrom, imageOf } from './contract/harness.fixture.js';
import { QemuWorld } from './contract/qemu-world.fixture.js';
import type { GuestSpec } from './ports/guest-spec.js';
import { STANDARD_HARDWARE } from './ports/guest-hardware.js';
import { findCgroups, type FoundCgroups } from './qemu/machine/find-cgroups.js';
import { GuestCgroups } from './qemu/machine/guest-cgroups.js';
import { QemuHypervisor } from './qemu/qemu-hypervisor.js';

let world: QemuWorld;
let image: BootImage;
let found: FoundCgroups;
let driver: QemuHypervisor;

beforeAll(async () => {
  world = await QemuWorld.open(process.env['PATH']);
  found = await findCgroups(undefined);
  driver = await QemuHypervisor.open({ ...world.options, cgroups: found.cgroups });
  image = await cache(driver, imageOf(world.bootImage));
});
afterAll(() => world.close());

const version = (): string | undefined => /cgroup v([12]) holds/.exec(found.described)?.[1];

async function started(spec: Partial<GuestSpec> = {}): Promise<GuestSpec> {
  const guest = guestFrom(image, spec);
  await driver.disks.ensureDisk(guest);
  await driver.machines.ensureRunning(guest);
  await expectGreetings(world, guest.id, 1);
  return guest;
}

it('the log says whether guests are limited, or why not', () => {
  expect(found.described).toMatch(/^cgroup v[12] holds|not held .* since its? .*cgroup v2/);
  expect(found.cgroups === undefined).toBe(version() === undefined);
});

it('a guest is limited from its start to its end, also by a later process with another group', async () => {
  const cpuLimits = { shares: 512, periodUs: 50_000, quotaUs: 25_000 };
  const guest = await started({ vcpus: 2, hardware: { ...STANDARD_HARDWARE, cpuLimits } });
  const pid = world.processOf(guest.id);
  const folders = (await found.cgroups?.of(guest.id, pid)) ?? [];
  expect(folders).toHaveLength(version() === undefined ? 0 : version() === '1' ? 2 : 1);
  for (const folder of folders) {
    expect(await readFile(join(folder, 'cgroup.procs'), 'utf8')).toBe(`${pid}\n`);
  }
  const files = {
    '1': { 'cpu.cfs_quota_us': '50000', 'cpu.shares': '512' },
    '2': { 'cpu.max': '50000 50000', 'cpu.weight': '50' },
  }[version() ?? ''];
  for (const [file, value] of Object.entries(files ?? {}))
    expect((await readFile(join(folders[0] ?? '', file), 'utf8')).trim()).toBe(value);

  await driver.machines.powerOff(guest.id);
  await driver.machines.ensureRunning({ ...guest, hardware: STANDARD_HARDWARE });
  const elsewhere = { cpu: world.imagesFolder, memory: world.imagesFolder };
  const cgroups = found.cgroups && new GuestCgroups({ version: 2, folders: elsewhere });
  const later = await QemuHypervisor.open({ ...world.options, cgroups });
  await later.guests.destroy(guest.id);
  expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
});
