import { describe, expect, it } from '@jest/globals';
import {
  craftCompressed,
  craftDynamicVhd,
  craftIso,
  craftLuks,
  craftParallels,
  craftPartition,
  craftQcow2,
  craftQed,
  craftStreamedVmdk,
  craftVdi,
  craftVhdx,
  craftVmdk,
  everyFormat,
  vhdFooter,
} from '@cumulet/testing/disk-images/crafted-images';
import { imageStart, IMAGE_HEAD_BYTES, wholeImage } from './image-bytes.js';
import { inspectImage, type ImageFacts } from './inspect-image.js';

const MIB = 1024 ** 2;

function inspect(image: Buffer | string): ImageFacts {
  return inspectImage(wholeImage(Buffer.from(image)));
}

const { gzip, xz, zstd, bzip2 } = craftCompressed();

describe('inspectImage', () => {
  it.each<[string, Buffer, number | undefined]>([
    ['qcow2', craftQcow2(), MIB],
    ['qcow2', craftQcow2({ version: 2 }), MIB],
    ['vmdk', craftVmdk(), MIB],
    ['vmdk', craftStreamedVmdk(), MIB],
    ['vhd', craftDynamicVhd(), MIB],
    ['vhd', Buffer.concat([Buffer.alloc(MIB), vhdFooter(2)]), MIB],
    ['vhdx', craftVhdx(), MIB],
    ['vdi', craftVdi(), MIB],
    ['iso', craftIso(), 20 * 2048],
    ['luks', craftLuks(), 4096 - 4 * 512],
    ['luks', craftLuks(2), undefined],
    ['parallels', craftParallels(), MIB],
    ['gzip', gzip, undefined],
    ['xz', xz, undefined],
    ['zstd', zstd, undefined],
    ['bzip2', bzip2, undefined],
    ['raw', craftPartition(), 512],
    ['raw', Buffer.from('anything else'), 13],
    ['raw', Buffer.alloc(0), 0],
  ])('knows a whole %s, and the size of its disk', (format, image, virtualSize) => {
    expect(inspect(image)).toMatchObject({ format, virtualSize, faults: [] });
  });

  it.each(['QFI', 'conect', '# Disk Descrip', 'vhdxfil', 'LUKS'])(
    'treats a file that ends within a magic as a raw disk: %s',
    (text) => expect(inspect(text).format).toBe('raw'),
  );

  it.each([
    ['qcow2', craftQcow2().subarray(0, 50), 'is a damaged qcow2 file: it ends within its header'],
    ['qcow2', craftQcow2().subarray(0, 6), 'is a damaged qcow2 file: it ends within its header'],
    ['vmdk', craftVmdk().subarray(0, 100), 'is a damaged vmdk file: it ends within its header'],
    ['vhd', Buffer.from('conectix'), 'is a damaged vhd file: it ends within its header'],
    ['vhdx', Buffer.from('vhdxfile'), 'is a damaged vhdx file: it has no table of regions'],
    ['vdi', craftVdi().subarray(0, 200), 'is a damaged vdi file: it ends within its header'],
    ['luks', craftLuks().subarray(0, 8), 'is a damaged luks file: it ends within its header'],
    ['luks', craftLuks().subarray(0, 600), 'is a damaged luks file: it ends before its data'],
    [
      'parallels',
      craftParallels().subarray(0, 20),
      'is a damaged parallels file: it ends within its header',
    ],
    [
      'iso',
      craftIso().subarray(0, 33_000),
      'is a damaged iso file: it ends within its first volume descriptor',
    ],
  ])('says of a %s that is cut off what is missing', (format, image, fault) => {
    expect(inspect(image)).toMatchObject({ format, faults: [fault] });
  });

  it('refuses one that two programs would take for two formats', () => {
    const both = craftIso();
    craftQcow2().copy(both, 0, 0, 104);
    expect(inspect(both)).toMatchObject({
      format: 'qcow2',
      faults: ['is qcow2 and iso at once'],
    });
  });

  it('says what partition table a disk has', () => {
    const gpt = Buffer.concat([craftPartition(), Buffer.from('EFI PART')]);
    expect(inspect(craftPartition())).toMatchObject({ format: 'raw', partitions: 'mbr' });
    expect(inspect(gpt)).toMatchObject({ format: 'raw', partitions: 'gpt' });
    expect(inspect(craftIso({ partitions: true }))).toMatchObject({
      format: 'iso',
      partitions: 'mbr',
      faults: [],
    });
  });

  it('does not treat a boot sector alone as a partition table', () => {
    const sector = Buffer.alloc(512);
    sector.set([0x55, 0xaa], 510);
    expect(inspect(sector)).toMatchObject({ format: 'raw', partitions: undefined });
  });

  it('refuses obsolete formats', () => {
    expect(inspect(craftQed()).faults).toEqual(['is a qed file, which is not supported']);
  });

  it('reads only the beginning of a text', () => {
    expect(inspect('BZh is how bzip2 begins').format).toBe('raw');
    expect(inspect('name=value\nversion=1\n').format).toBe('raw');
  });

  it('refuses a disk size beyond safe integers', () => {
    const image = craftQcow2();
    image.writeBigUInt64BE(2n ** 60n, 24);
    expect(inspect(image)).toMatchObject({
      virtualSize: undefined,
      faults: ['claims a disk of 1152921504606846976 bytes'],
    });
  });

  it.each(everyFormat().map((image): [string, Buffer] => [inspect(image).format, image]))(
    'knows the format of a %s by its first bytes where it has them there',
    (format, image) => {
      const isAtTheEnd = format === 'vhd' && !image.toString('latin1', 0, 8).includes('conectix');
      const start = Buffer.concat([image, Buffer.alloc(IMAGE_HEAD_BYTES)]);
      const { format: found } = inspectImage(imageStart(start.subarray(0, IMAGE_HEAD_BYTES)));
      expect(found).toBe(isAtTheEnd ? 'raw' : format);
    },
  );
});
