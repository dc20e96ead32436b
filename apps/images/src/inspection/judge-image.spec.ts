import { describe, expect, it } from '@jest/globals';
import { wholeImage } from '@cumulet/storage/disk-formats/image-bytes';
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
  vhdFooter,
} from '@cumulet/testing/disk-images/crafted-images';
import { judgeImage, type Verdict } from './judge-image.js';

const MIB = 1024 ** 2;

function judge(diskFormat: string | null, data: Buffer, containerFormat = 'bare'): Verdict {
  return judgeImage({ diskFormat, containerFormat }, { ...wholeImage(data), size: data.length });
}

function accepted(virtualSize: number | null): Verdict {
  return { isAccepted: true, virtualSize };
}

function refused(reason: string): Verdict {
  return { isAccepted: false, reason };
}

const plain = Buffer.alloc(4096);
const fixedVhd = Buffer.concat([Buffer.alloc(MIB), vhdFooter(2)]);
const { gzip, xz, zstd, bzip2 } = craftCompressed();

describe('judgeImage', () => {
  it.each<[string, Buffer, number | null]>([
    ['qcow2', craftQcow2(), MIB],
    ['vmdk', craftVmdk(), MIB],
    ['vmdk', craftStreamedVmdk(), MIB],
    ['vhd', craftDynamicVhd(), MIB],
    ['vhd', fixedVhd, MIB],
    ['vhdx', craftVhdx(), MIB],
    ['vdi', craftVdi(), MIB],
    ['iso', craftIso(), 40_960],
    ['iso', craftIso({ partitions: true }), 40_960],
    ['ploop', craftParallels(), MIB],
    ['ploop', plain, 4096],
    ['raw', plain, 4096],
    ['raw', craftPartition(), 512],
    ['raw', craftIso({ partitions: true }), 65_536],
    ['raw', craftLuks(), 4096],
    ['raw', Buffer.alloc(0), 0],
    ['ami', plain, 4096],
    ['aki', plain, 4096],
    ['aki', gzip, 8],
    ['ari', xz, 8],
    ['ari', zstd, 8],
    ['ari', bzip2, 10],
  ])('takes for disk_format %s what it stands for', (diskFormat, data, virtualSize) => {
    expect(judge(diskFormat, data)).toEqual(accepted(virtualSize));
  });

  it.each([
    ['raw', craftQcow2(), 'qcow2'],
    ['raw', craftVmdk(), 'vmdk'],
    ['raw', fixedVhd, 'vhd'],
    ['raw', craftIso(), 'iso'],
    ['raw', craftQed(), 'qed'],
    ['raw', gzip, 'gzip-compressed'],
    ['ami', craftVdi(), 'vdi'],
    ['aki', craftQcow2(), 'qcow2'],
    ['ari', craftVhdx(), 'vhdx'],
    ['ploop', craftQcow2(), 'qcow2'],
    ['iso', plain, 'raw'],
    ['qcow2', plain, 'raw'],
    ['qcow2', craftVmdk(), 'vmdk'],
    ['qcow2', Buffer.from('QFI'), 'raw'],
    ['qcow2', Buffer.alloc(0), 'empty'],
    ['vhd', craftVhdx(), 'vhdx'],
    ['luks', craftQcow2(), 'qcow2'],
  ])('refuses for disk_format %s what is something else', (diskFormat, data, found) => {
    expect(judge(diskFormat, data)).toEqual(
      refused(`The data is ${found}, but disk_format is ${diskFormat}.`),
    );
  });

  it('refuses unsafe images, and says why', () => {
    const backed = craftQcow2();
    backed.writeBigUInt64BE(512n, 8);
    expect(judge('qcow2', backed)).toEqual(
      refused('The image has a backing file; upload an image that is complete in itself.'),
    );
    expect(judge('qcow2', craftQcow2().subarray(0, 30))).toEqual(
      refused('The image is a damaged qcow2 file: it ends within its header.'),
    );
  });

  it('refuses a raw disk that is encrypted in an unknown way', () => {
    expect(judge('raw', craftLuks(9))).toMatchObject({ isAccepted: false });
  });

  it.each(['ova', 'ovf', 'docker', 'compressed', 'ami'])(
    'accepts anything in a container other than bare: %s',
    (container) => {
      expect(judge('raw', craftQcow2(), container)).toEqual(accepted(null));
    },
  );

  it('accepts nothing without a disk_format', () => {
    expect(judge(null, plain)).toEqual(refused('The data is raw, but disk_format is not set.'));
  });
});
