/** The part of the hypervisor contract that is about images and the disks made from them. */
import { createHash, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { BaseImageSource } from '../hypervisor-driver.js';
import { craftQcow2 } from './crafted-qcow2.js';
import {
  brokenImage,
  expectFailure,
  guestFrom,
  imageOf,
  type HypervisorHarness,
} from './harness.js';

const EXTERNAL_DATA_FILE = 4n;
const CORRUPT = 2n;

const REFUSED: readonly [string, BaseImageSource, RegExp][] = [
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

/** Registers the tests. @param harness the world, once `beforeAll` has run */
export function imageContract(harness: () => HypervisorHarness): void {
  it('caches an image once and does not read it again', async () => {
    const { driver, bootImage } = harness();
    const imageId = randomUUID();
    expect(await driver.hasBaseImage(imageId)).toBe(false);
    await driver.putBaseImage(imageId, imageOf(bootImage));
    expect(await driver.hasBaseImage(imageId)).toBe(true);

    const unread = imageOf(bootImage, { open: () => Promise.reject(new Error('read again')) });
    await driver.putBaseImage(imageId, unread);
  });

  it('shares one download between callers at the same time', async () => {
    const { driver, bootImage } = harness();
    const imageId = randomUUID();
    const once = imageOf(bootImage);
    let opened = 0;
    const counted: BaseImageSource = {
      ...once,
      open: () => {
        opened += 1;
        return once.open();
      },
    };
    await Promise.all([1, 2, 3].map(() => driver.putBaseImage(imageId, counted)));
    expect(opened).toBe(1);
  });

  it('lets other processes cache the same image at the same time', async () => {
    const { driver, bootImage, reopen } = harness();
    const imageId = randomUUID();
    const other = await reopen();
    await Promise.all(
      [driver, other].map((each) => each.putBaseImage(imageId, imageOf(bootImage))),
    );
    expect(await other.hasBaseImage(imageId)).toBe(true);
  });

  it('keeps nothing of a download that breaks off, and takes the next one', async () => {
    const { driver, bootImage } = harness();
    const imageId = randomUUID();
    await expectFailure(driver.putBaseImage(imageId, brokenImage(bootImage)), 'transient');
    expect(await driver.hasBaseImage(imageId)).toBe(false);
    await driver.putBaseImage(imageId, imageOf(bootImage));
    expect(await driver.hasBaseImage(imageId)).toBe(true);
  });

  it('takes data that matches its size and checksum', async () => {
    const { driver, bootImage } = harness();
    const imageId = randomUUID();
    const value = createHash('sha512').update(bootImage).digest('hex').toUpperCase();
    const checksum = { algorithm: 'sha512', value } as const;
    await driver.putBaseImage(
      imageId,
      imageOf(bootImage, { checksum, sizeBytes: bootImage.length }),
    );
    expect(await driver.hasBaseImage(imageId)).toBe(true);
  });

  it.each<[string, Partial<BaseImageSource>]>([
    ['another checksum', { checksum: { algorithm: 'sha256', value: 'ab'.repeat(32) } }],
    ['too many bytes', { sizeBytes: 10 }],
    ['too few bytes', { sizeBytes: 2 ** 40 }],
  ])('refuses data with %s as damaged', async (_what, promised) => {
    const { driver, bootImage } = harness();
    const imageId = randomUUID();
    const source = imageOf(bootImage, promised);
    await expectFailure(driver.putBaseImage(imageId, source), 'transient', /damaged/);
    expect(await driver.hasBaseImage(imageId)).toBe(false);
  });

  it.each(REFUSED)('refuses %s', async (_what, source, message) => {
    const { driver } = harness();
    const imageId = randomUUID();
    await expectFailure(driver.putBaseImage(imageId, source), 'bad-image', message);
    expect(await driver.hasBaseImage(imageId)).toBe(false);
  });

  it('refuses an image id that is a path', async () => {
    const { driver, bootImage } = harness();
    await expectFailure(driver.putBaseImage('../escaped', imageOf(bootImage)), 'bug');
  });

  it('makes no disk before the image is cached', async () => {
    const { driver } = harness();
    await expectFailure(driver.ensureDisk(guestFrom(randomUUID())), 'not-ready', /not cached/);
  });

  it('makes no disk from an image without a boot sector', async () => {
    const { driver } = harness();
    const imageId = randomUUID();
    await driver.putBaseImage(imageId, imageOf(Buffer.alloc(1024 ** 2)));
    await expectFailure(driver.ensureDisk(guestFrom(imageId)), 'bad-image', /no boot sector/);
  });

  it('makes a disk from an image without a boot sector for a guest with a kernel', async () => {
    const { driver } = harness();
    const [imageId, kernelId] = [randomUUID(), randomUUID()];
    await driver.putBaseImage(imageId, imageOf(Buffer.alloc(1024 ** 2), { diskFormat: 'ami' }));
    const kernel = Buffer.from('\x7fELF kernel', 'latin1');
    await driver.putBaseImage(kernelId, imageOf(kernel, { diskFormat: 'aki' }));
    const guest = guestFrom(imageId, { kernelId });
    await driver.ensureDisk(guest);
    expect(await driver.list()).toContain(guest.id);
    await driver.destroy(guest.id);
  });

  it('refuses a kernel that is not cached as one', async () => {
    const { driver, bootImage } = harness();
    const imageId = randomUUID();
    await driver.putBaseImage(imageId, imageOf(bootImage));
    const guest = guestFrom(imageId, { kernelId: imageId });
    await expectFailure(driver.ensureDisk(guest), 'bad-image', /is not a kernel/);
  });

  it('makes no disk smaller than its image', async () => {
    const { driver, bootImage } = harness();
    const imageId = randomUUID();
    const large = Buffer.concat([bootImage, Buffer.alloc(1024 ** 2)]);
    await driver.putBaseImage(imageId, imageOf(large));
    const guest = guestFrom(imageId, { diskGb: 1 / 1024 });
    await expectFailure(driver.ensureDisk(guest), 'bad-image', /needs a disk of 1 GB/);
  });

  it('finds a disk that is there already', async () => {
    const { driver, bootImage } = harness();
    const imageId = randomUUID();
    await driver.putBaseImage(imageId, imageOf(bootImage));
    const guest = guestFrom(imageId, { diskGb: 0 });
    await Promise.all([driver.ensureDisk(guest), driver.ensureDisk(guest)]);
    await driver.ensureDisk(guest);
    expect(await driver.state(guest.id)).toBe('absent');
    await driver.destroy(guest.id);
  });

  it('does not put a guest with a disk on another image', async () => {
    const { driver, bootImage } = harness();
    const [imageId, otherId] = [randomUUID(), randomUUID()];
    await driver.putBaseImage(imageId, imageOf(bootImage));
    await driver.putBaseImage(otherId, imageOf(bootImage));
    const guest = guestFrom(imageId);
    await driver.ensureDisk(guest);
    await expectFailure(driver.ensureRunning({ ...guest, imageId: otherId }), 'bug');
    await driver.destroy(guest.id);
  });
}

function qcow2(content: Buffer): BaseImageSource {
  return imageOf(content, { diskFormat: 'qcow2' });
}
