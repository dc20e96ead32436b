/** The part of the hypervisor contract about images. */
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';

import { imageName, type BootImage, type OpenImage } from '../boot-image.js';
import { craftQcow2 } from './crafted-qcow2.fixture.js';
import {
  brokenImage,
  cache,
  expectFailure,
  guestFrom,
  imageOf,
  type HypervisorHarness,
  type UploadedImage,
} from './harness.fixture.js';

const EXTERNAL_DATA_FILE = 4n;
const CORRUPT = 2n;

const REFUSED: readonly [string, UploadedImage, RegExp][] = [
  ['an empty file', imageOf(Buffer.alloc(0)), /is empty/],
  ['a format that no guest boots from', imageOf(Buffer.alloc(512), { diskFormat: 'vmdk' }), /vmdk/],
  ['a raw image that is a qcow2', imageOf(craftQcow2()), /its data is qcow2/],
  ['a qcow2 image that is not', qcow2(Buffer.alloc(512)), /its data is not/],
  ['a qcow2 with a backing file', qcow2(craftQcow2({ backingFile: '/etc/shadow' })), /backing/],
  [
    'a qcow2 with an external data file',
    qcow2(craftQcow2({ incompatibleFeatures: EXTERNAL_DATA_FILE })),
    /external file/,
  ],
  ['a qcow2 marked corrupt', qcow2(craftQcow2({ incompatibleFeatures: CORRUPT })), /corrupt/],
  ['an encrypted qcow2', qcow2(craftQcow2({ encrypted: true })), /encrypted/],
  ['a qcow2 cut off in its header', qcow2(craftQcow2().subarray(0, 40)), /damaged/],
  ['a compressed image', imageOf(Buffer.from('\x1f\x8b\x08\0', 'latin1')), /gzip/],
  ['a kernel that is none', imageOf(Buffer.alloc(2048), { diskFormat: 'aki' }), /no x86 kernel/],
];

export function imageContract(harness: () => HypervisorHarness): void {
  it('caches an image once and does not read it again', async () => {
    const { driver, bootImage } = harness();
    const { image, open } = imageOf(bootImage);
    expect(await driver.images.hasBaseImage(image)).toBe(false);
    await driver.images.putBaseImage(image, open);
    expect(await driver.images.hasBaseImage(image)).toBe(true);

    await driver.images.putBaseImage(image, () => Promise.reject(new Error('read again')));
  });

  it.each<[string, Partial<BootImage>]>([
    ['other data', { sha512: 'ab'.repeat(64) }],
    ['another disk format', { diskFormat: 'ari' }],
    ['another id', { id: randomUUID() }],
  ])('treats an image with %s as another', async (_what, facts) => {
    const { driver, bootImage } = harness();
    const image = await cache(driver, imageOf(bootImage));
    expect(await driver.images.hasBaseImage({ ...image, ...facts })).toBe(false);
    const guest = guestFrom({ ...image, ...facts });
    await expectFailure(driver.disks.ensureDisk(guest), 'not-ready', /not cached/);
  });

  it('shares one download between callers at the same time', async () => {
    const { driver, bootImage } = harness();
    const { image, open } = imageOf(bootImage);
    let opened = 0;
    const counted: OpenImage = () => {
      opened += 1;
      return open();
    };
    await Promise.all([1, 2, 3].map(() => driver.images.putBaseImage(image, counted)));
    expect(opened).toBe(1);
  });

  it('lets other processes cache the same image at the same time', async () => {
    const { driver, bootImage, reopen } = harness();
    const { image, open } = imageOf(bootImage);
    const other = await reopen();
    await Promise.all([driver, other].map((each) => each.images.putBaseImage(image, open)));
    expect(await other.images.hasBaseImage(image)).toBe(true);
  });

  it('discards a download that breaks off, and accepts the next one', async () => {
    const { driver, bootImage } = harness();
    const { image, open } = brokenImage(bootImage);
    await expectFailure(driver.images.putBaseImage(image, open), 'transient');
    expect(await driver.images.hasBaseImage(image)).toBe(false);
    await driver.images.putBaseImage(image, imageOf(bootImage).open);
    expect(await driver.images.hasBaseImage(image)).toBe(true);
  });

  it('keeps an image while a guest has a disk over it, and evicts it after that', async () => {
    const { driver, bootImage, reopen } = harness();
    const image = await cache(driver, imageOf(bootImage));
    const guest = guestFrom(image);
    await driver.disks.ensureDisk(guest);
    const other = await reopen();
    expect(await other.images.evictUnusedImages(0, noneNeeded)).not.toContain(imageName(image));
    await driver.machines.ensureRunning(guest);

    await driver.guests.destroy(guest.id);
    expect(await driver.images.evictUnusedImages(0, noneNeeded)).toContain(imageName(image));
    expect(await driver.images.hasBaseImage(image)).toBe(false);
    expect(await driver.images.evictUnusedImages(0, noneNeeded)).not.toContain(imageName(image));
  });

  it('keeps an image while a rescue has a disk over it', async () => {
    const { driver, bootImage } = harness();
    const rescue = await cache(driver, imageOf(bootImage));
    const guest = guestFrom(await cache(driver, imageOf(bootImage)), { rescue });
    await driver.disks.ensureDisk(guest);
    await driver.disks.ensureRescueDisk(guest);
    const evict = (): Promise<string[]> => driver.images.evictUnusedImages(0, noneNeeded);
    expect(await evict()).not.toContain(imageName(rescue));

    await driver.disks.discardRescueDisk(guest.id);
    expect(await evict()).toContain(imageName(rescue));
    await driver.guests.destroy(guest.id);
  });

  it('keeps an image that was used since, or that is needed', async () => {
    const { driver, bootImage } = harness();
    const image = await cache(driver, imageOf(bootImage));
    const name = imageName(image);
    const needed = (): Promise<Set<string>> => Promise.resolve(new Set([name]));
    expect(await driver.images.evictUnusedImages(3_600_000, noneNeeded)).not.toContain(name);
    expect(await driver.images.evictUnusedImages(0, needed)).not.toContain(name);
    expect(await driver.images.hasBaseImage(image)).toBe(true);
  });

  it('keeps an image that a guest is made from while images are evicted', async () => {
    const { driver, bootImage } = harness();
    const image = await cache(driver, imageOf(bootImage));
    const guest = guestFrom(image);
    const evicted = await driver.images.evictUnusedImages(0, async () => {
      if (await driver.images.hasBaseImage(image)) await driver.disks.ensureDisk(guest);
      return new Set<string>();
    });
    expect(evicted).not.toContain(imageName(image));
    await driver.machines.ensureRunning(guest);
    await driver.guests.destroy(guest.id);
  });

  it('caches an evicted image again', async () => {
    const { driver, bootImage } = harness();
    const { image, open } = imageOf(bootImage);
    await driver.images.putBaseImage(image, open);
    await driver.images.evictUnusedImages(0, noneNeeded);
    await driver.images.putBaseImage(image, open);
    expect(await driver.images.hasBaseImage(image)).toBe(true);
  });

  it('accepts data that matches its size', async () => {
    const { driver, bootImage } = harness();
    const { image, open } = imageOf(bootImage, { sizeBytes: bootImage.length });
    await driver.images.putBaseImage(image, open);
    expect(await driver.images.hasBaseImage(image)).toBe(true);
  });

  it.each<[string, Partial<BootImage>]>([
    ['another hash', { sha512: 'ab'.repeat(64) }],
    ['too many bytes', { sizeBytes: 10 }],
    ['too few bytes', { sizeBytes: 2 ** 40 }],
  ])('refuses data with %s as damaged', async (_what, facts) => {
    const { driver, bootImage } = harness();
    const { image, open } = imageOf(bootImage, facts);
    const put = driver.images.putBaseImage(image, open);
    await expectFailure(put, 'transient', /damaged/);
    expect(await driver.images.hasBaseImage(image)).toBe(false);
  });

  it.each(REFUSED)('refuses %s', async (_what, { image, open }, message) => {
    const { driver } = harness();
    await expectFailure(driver.images.putBaseImage(image, open), 'bad-image', message);
    expect(await driver.images.hasBaseImage(image)).toBe(false);
  });

  it.each<[string, Partial<BootImage>]>([
    ['an id', { id: '../escaped' }],
    ['a disk format', { diskFormat: '../raw' }],
    ['a hash', { sha512: '../'.padEnd(128, 'a') }],
    ['an empty hash', { sha512: '' }],
  ])('refuses %s that is unsafe in a path', async (_what, facts) => {
    const { driver, bootImage } = harness();
    const { image, open } = imageOf(bootImage, facts);
    await expectFailure(driver.images.putBaseImage(image, open), 'bug', /malformed/);
    await expectFailure(driver.images.hasBaseImage(image), 'bug', /malformed/);
  });
}

const noneNeeded = (): Promise<ReadonlySet<string>> => Promise.resolve(new Set());

function qcow2(content: Buffer): UploadedImage {
  return imageOf(content, { diskFormat: 'qcow2' });
}
