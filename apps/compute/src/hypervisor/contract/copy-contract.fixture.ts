/** The part of the hypervisor contract about copies of disks. */
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import type { GuestSpec } from '../ports/guest-spec.js';
import { waitUntil } from '../wait-until.js';
import {
  cache,
  expectFailure,
  expectGreetings,
  expectState,
  guestFrom,
  imageOf,
  PATIENCE_MS,
  type HypervisorHarness,
} from './harness.fixture.js';

export function copyContract(harness: () => HypervisorHarness): void {
  const guestWithDisk = async (): Promise<GuestSpec> => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(await cache(driver, imageOf(bootImage)), { diskGb: 0 });
    await driver.disks.ensureDisk(guest);
    return guest;
  };
  const copied = async (guest: GuestSpec, local?: number): Promise<string> => {
    const copyId = randomUUID();
    const { copies } = harness().driver;
    expect(await waitUntil(() => copies.copyDisk(guest, copyId, local), PATIENCE_MS)).toBe(true);
    return copyId;
  };
  const dataOf = async (guest: GuestSpec, copyId: string): Promise<Buffer> => {
    const { sizeBytes, data } = await harness().driver.copies.openCopy(guest.id, copyId);
    const bytes = await buffer(data);
    expect(bytes).toHaveLength(sizeBytes);
    return bytes;
  };

  it.each(['off', 'running', 'powered off by itself'])(
    'copies the disk of a guest that is %s into an image that another boots from',
    async (state) => {
      const { driver } = harness();
      const guest = await guestWithDisk();
      if (state !== 'off') {
        await driver.machines.ensureRunning(guest);
        await expectGreetings(harness(), guest.id, 1);
      }
      if (state === 'powered off by itself') {
        await driver.machines.powerDown(guest.id);
        await expectState(driver, guest.id, 'shutdown');
      }
      const copyId = await copied(guest);
      const found = { off: 'absent', running: 'running' }[state] ?? 'shutdown';
      expect(await driver.machines.state(guest.id)).toBe(found);
      const image = imageOf(await dataOf(guest, copyId), { diskFormat: 'qcow2' });
      const other = guestFrom(await cache(driver, image), { diskGb: 0 });
      await driver.disks.ensureDisk(other);
      await driver.machines.ensureRunning(other);
      await expectGreetings(harness(), other.id, 1);
      for (const { id } of [guest, other]) await driver.guests.destroy(id);
    },
  );

  it('copies a local disk of a guest that is off, and makes another of at least that size from it', async () => {
    const { driver, bootImage } = harness();
    const image = await cache(driver, imageOf(bootImage));
    const localDisks = [
      { sizeMb: 4, format: 'ext4', at: 3 },
      { sizeMb: 4, format: 'swap' },
    ] as const;
    const guest = guestFrom(image, { localDisks });
    await driver.disks.ensureDisk(guest);
    const copyId = await copied(guest, 3);
    expect(await driver.copies.copyDisk(guest, copyId, 3)).toBe(true);
    const content = imageOf(await dataOf(guest, copyId), { diskFormat: 'qcow2' });
    const [first, swap] = localDisks;
    for (const sizeMb of [2, 4, 8]) {
      const other = guestFrom(image, {
        localDisks: [{ ...first, sizeMb, content: content.image }, swap],
      });
      if (sizeMb === 2)
        await expectFailure(driver.disks.ensureDisk(other), 'not-ready', /not cached/);
      await cache(driver, content);
      for (let time = 0; time < 2; time += 1) await driver.disks.ensureDisk(other);
      await driver.machines.ensureRunning(other);
      expect(await driver.machines.state(other.id)).toBe('running');
      await driver.guests.destroy(other.id);
    }
    await driver.guests.destroy(guest.id);
  });

  it('refuses to copy a local disk that is in use, or missing', async () => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(await cache(driver, imageOf(bootImage)), {
      localDisks: [{ sizeMb: 4, format: 'ext4' }],
    });
    await driver.disks.ensureDisk(guest);
    const copy = (local: number) => driver.copies.copyDisk(guest, randomUUID(), local);
    await expectFailure(copy(1), 'not-ready', /lost a disk/);
    await driver.machines.ensureRunning(guest);
    await expectFailure(copy(0), 'not-ready', /in use/);
    expect(await driver.machines.state(guest.id)).toBe('running');
    await driver.guests.destroy(guest.id);
  });

  it('keeps a copy that is whole, also for a driver that is opened later', async () => {
    const guest = await guestWithDisk();
    const copyId = await copied(guest);
    const before = await dataOf(guest, copyId);
    const later = await harness().reopen();
    expect(await later.copies.copyDisk(guest, copyId)).toBe(true);
    const { data } = await later.copies.openCopy(guest.id, copyId);
    expect((await buffer(data)).equals(before)).toBe(true);
    await later.guests.destroy(guest.id);
  });

  it('removes a copy, and leaves the guest as it is', async () => {
    const { driver } = harness();
    const guest = await guestWithDisk();
    await driver.machines.ensureRunning(guest);
    const copyId = await copied(guest);
    await driver.copies.removeCopy(guest.id, copyId);
    await driver.copies.removeCopy(guest.id, copyId);
    await expectFailure(driver.copies.openCopy(guest.id, copyId), 'not-ready', /no copy/);
    expect(await driver.machines.state(guest.id)).toBe('running');
    await driver.guests.destroy(guest.id);
  });

  it('removes a copy that is being made', async () => {
    const { driver } = harness();
    const guest = await guestWithDisk();
    await driver.machines.ensureRunning(guest);
    const copyId = randomUUID();
    await driver.copies.copyDisk(guest, copyId);
    const removed = await waitUntil(
      () =>
        driver.copies.removeCopy(guest.id, copyId).then(
          () => true,
          () => false,
        ),
      PATIENCE_MS,
    );
    expect(removed).toBe(true);
    await expectFailure(driver.copies.openCopy(guest.id, copyId), 'not-ready', /no copy/);
    await driver.guests.destroy(guest.id);
  });

  it('refuses to copy a disk that is not on this host', async () => {
    const { driver, bootImage } = harness();
    const guest = guestFrom(await cache(driver, imageOf(bootImage)));
    await expectFailure(driver.copies.copyDisk(guest, randomUUID()), 'not-ready', /no disk/);
    expect(await driver.guests.list()).not.toContain(guest.id);
  });
}
