/** The part of the hypervisor contract about the disks made from images. */
import { expect, it } from '@jest/globals';
import {
  cache,
  expectFailure,
  expectGreetings,
  guestFrom,
  imageOf,
  type HypervisorHarness,
} from './harness.fixture.js';
import type { GuestSpec } from '../ports/guest-spec.js';

export function diskContract(harness: () => HypervisorHarness): void {
  it('distinguishes images that had the same id one after the other', async () => {
    const { driver, bootImage } = harness();
    const earlier = imageOf(bootImage);
    const { id } = earlier.image;
    const later = imageOf(Buffer.concat([bootImage, Buffer.alloc(1024 ** 2)]), { id });
    const first = guestFrom(await cache(driver, earlier), { diskGb: 1 / 1024 });
    await driver.disks.ensureDisk(first);
    const second = guestFrom(await cache(driver, later), { diskGb: 1 / 1024 });
    await expectFailure(driver.disks.ensureDisk(second), 'bad-image', /needs a disk of 1 GB/);
    await driver.disks.ensureDisk(first);
    await driver.guests.destroy(first.id);
  });

  it('refuses to make a disk before the image is cached', async () => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(imageOf(bootImage).image);
    await expectFailure(driver.disks.ensureDisk(guest), 'not-ready', /not cached/);
  });

  it('refuses to make a disk from an image without a boot sector', async () => {
    const { driver } = harness();
    const guest = guestFrom(await cache(driver, imageOf(Buffer.alloc(1024 ** 2))));
    await expectFailure(driver.disks.ensureDisk(guest), 'bad-image', /no boot sector/);
  });

  it('makes a disk from an image without a boot sector for a guest with a kernel', async () => {
    const { driver } = harness();
    const disk = imageOf(Buffer.alloc(1024 ** 2), { diskFormat: 'ami' });
    const kernel = imageOf(Buffer.from('\x7fELF kernel', 'latin1'), { diskFormat: 'aki' });
    const guest = guestFrom(await cache(driver, disk), { kernel: await cache(driver, kernel) });
    await driver.disks.ensureDisk(guest);
    expect(await driver.guests.list()).toContain(guest.id);
    await driver.guests.destroy(guest.id);
  });

  it('refuses a kernel that is not cached as one', async () => {
    const { driver, bootImage } = harness();
    const image = await cache(driver, imageOf(bootImage));
    const guest = guestFrom(image, { kernel: image });
    await expectFailure(driver.disks.ensureDisk(guest), 'bad-image', /is not a kernel/);
  });

  it('refuses to make a disk smaller than its image', async () => {
    const { driver, bootImage } = harness();
    const large = imageOf(Buffer.concat([bootImage, Buffer.alloc(1024 ** 2)]));
    const guest = guestFrom(await cache(driver, large), { diskGb: 1 / 1024 });
    await expectFailure(driver.disks.ensureDisk(guest), 'bad-image', /needs a disk of 1 GB/);
  });

  it('keeps an existing disk', async () => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(await cache(driver, imageOf(bootImage)), { diskGb: 0 });
    await Promise.all([driver.disks.ensureDisk(guest), driver.disks.ensureDisk(guest)]);
    await driver.disks.ensureDisk(guest);
    expect(await driver.machines.state(guest.id)).toBe('absent');
    await driver.guests.destroy(guest.id);
  });

  it.each(['an id of its own', 'the same id'])(
    'does not put a guest with a disk on another image with %s',
    async (what) => {
      const { driver, bootImage } = harness();
      const image = await cache(driver, imageOf(bootImage));
      const facts = what === 'the same id' ? { id: image.id } : {};
      const longer = Buffer.concat([bootImage, Buffer.alloc(512)]);
      const other = await cache(driver, imageOf(longer, facts));
      const guest = guestFrom(image);
      await driver.disks.ensureDisk(guest);
      await expectFailure(driver.machines.ensureRunning({ ...guest, image: other }), 'bug');
      await driver.guests.destroy(guest.id);
    },
  );

  it('restores a kept disk, once, also after it has grown', async () => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(await cache(driver, imageOf(bootImage)));
    await driver.disks.ensureDisk(guest);
    for (let time = 0; time < 2; time += 1) {
      await driver.disks.keepDisk(guest.id);
      await driver.disks.growDisk({ ...guest, diskGb: 2 });
    }
    await driver.disks.restoreDisk(guest.id);
    await driver.disks.restoreDisk(guest.id);
    await driver.machines.ensureRunning(guest);
    expect(await driver.machines.state(guest.id)).toBe('running');
    await driver.guests.destroy(guest.id);
  });

  it.each(['running', 'absent'])('forgets the kept disks of a guest that is %s', async (state) => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(await cache(driver, imageOf(bootImage)));
    await driver.disks.ensureDisk(guest);
    await driver.disks.forgetKeptDisk(guest);
    await driver.disks.keepDisk(guest.id);
    if (state === 'running') await driver.machines.ensureRunning(guest);
    await driver.disks.forgetKeptDisk(guest);
    await driver.disks.forgetKeptDisk(guest);
    expect(await driver.machines.state(guest.id)).toBe(state);
    await driver.guests.destroy(guest.id);
  });

  it('has the local disks of another flavor, and the former ones after a restore', async () => {
    const { driver, bootImage } = harness();
    const swap = { sizeMb: 4, format: 'swap', at: 0 } as const;
    const guest = guestFrom(await cache(driver, imageOf(bootImage)), { localDisks: [swap] });
    const larger: GuestSpec = {
      ...guest,
      localDisks: [
        { sizeMb: 4, format: 'ext4', label: 'ephemeral0', at: 1 },
        { sizeMb: 8, format: 'swap', at: 2 },
      ],
    };
    await driver.disks.ensureDisk(guest);
    await expectFailure(driver.machines.ensureRunning(larger), 'not-ready', /lost a disk/);
    for (let time = 0; time < 2; time += 1) {
      await driver.disks.keepDisk(guest.id);
      await driver.disks.growDisk(larger);
    }
    await driver.machines.ensureRunning(larger);
    await driver.machines.powerOff(guest.id);
    await driver.disks.restoreDisk(guest.id);
    await driver.disks.forgetKeptDisk(guest);
    await driver.machines.ensureRunning(guest);
    await driver.machines.powerOff(guest.id);
    await expectFailure(driver.machines.ensureRunning(larger), 'not-ready', /lost a disk/);
    await driver.guests.destroy(guest.id);
  });

  it('removes local disks that a running guest no longer has', async () => {
    const { driver, bootImage } = harness();
    const swap = { sizeMb: 4, format: 'swap' } as const;
    const guest = guestFrom(await cache(driver, imageOf(bootImage)), { localDisks: [swap] });
    const without = { ...guest, localDisks: [] };
    await driver.disks.ensureDisk(guest);
    await driver.disks.keepDisk(guest.id);
    await driver.disks.growDisk(without);
    await driver.machines.ensureRunning(without);
    await driver.disks.forgetKeptDisk(without);
    expect(await driver.machines.state(guest.id)).toBe('running');
    await driver.machines.powerOff(guest.id);
    await expectFailure(driver.machines.ensureRunning(guest), 'not-ready', /lost a disk/);
    await driver.guests.destroy(guest.id);
  });

  it('refuses to change a disk that is in use, or missing', async () => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(await cache(driver, imageOf(bootImage)));
    await expectFailure(driver.disks.keepDisk(guest.id), 'not-ready', /no disk/);
    await driver.disks.ensureDisk(guest);
    await driver.machines.ensureRunning(guest);
    await expectFailure(driver.disks.keepDisk(guest.id), 'not-ready', /in use/);
    await expectFailure(driver.disks.restoreDisk(guest.id), 'not-ready', /in use/);
    await driver.guests.destroy(guest.id);
  });

  it('makes another disk, from another image, once one was discarded', async () => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(await cache(driver, imageOf(bootImage)));
    await driver.disks.ensureDisk(guest);
    await driver.disks.discardDisk(guest.id);
    await driver.disks.discardDisk(guest.id);
    const longer = Buffer.concat([bootImage, Buffer.alloc(512)]);
    const other = { ...guest, image: await cache(driver, imageOf(longer)) };
    await driver.disks.ensureDisk(other);
    await driver.machines.ensureRunning(other);
    expect(await driver.machines.state(guest.id)).toBe('running');
    await driver.guests.destroy(guest.id);
  });

  it('boots another image beside the disk of a guest, which it then boots again', async () => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(await cache(driver, imageOf(bootImage)));
    await driver.disks.ensureDisk(guest);
    const longer = Buffer.concat([bootImage, Buffer.alloc(512)]);
    const rescued = { ...guest, rescue: await cache(driver, imageOf(longer)) };
    await expectFailure(driver.machines.ensureRunning(rescued), 'not-ready', /rescue/);
    await driver.disks.ensureRescueDisk(rescued);
    await driver.machines.ensureRunning(rescued);
    await expectGreetings(harness(), guest.id, 1);
    await expectFailure(driver.disks.discardRescueDisk(guest.id), 'not-ready', /in use/);
    await driver.machines.powerOff(guest.id);
    await driver.disks.discardRescueDisk(guest.id);
    await driver.machines.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 2);
    await driver.guests.destroy(guest.id);
  });
}
