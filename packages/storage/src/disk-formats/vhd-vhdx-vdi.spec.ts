import { describe, expect, it } from '@jest/globals';
import { craftDynamicVhd, craftVdi, craftVhdx } from '@cumulet/testing/disk-images/crafted-images';
import { wholeImage } from './image-bytes.js';
import { inspectImage } from './inspect-image.js';

function faultsOf(image: Buffer | string): readonly string[] {
  return inspectImage(wholeImage(Buffer.from(image))).faults;
}

describe('vhd, vhdx and vdi', () => {
  const parent = /differencing disk, which needs its parent/;

  it('refuse a disk that needs its parent', () => {
    expect(faultsOf(craftDynamicVhd(4))[0]).toMatch(parent);
    expect(faultsOf(craftVhdx({ hasParent: true }))[0]).toMatch(parent);
    expect(faultsOf(craftVdi({ type: 4 }))[0]).toMatch(parent);
    expect(faultsOf(craftVdi({ parent: Buffer.from([1]) }))[0]).toMatch(parent);
  });

  it('refuse footers that cannot be where they are', () => {
    expect(faultsOf(craftDynamicVhd(2))).toEqual([
      'is a damaged vhd file: its footer has the type 2',
    ]);
    expect(faultsOf(craftDynamicVhd().subarray(0, 2000))).toEqual([
      'is a damaged vhd file: it does not end with its footer',
    ]);
  });

  it('refuse metadata that is not where it belongs', () => {
    const image = craftVhdx();
    image.writeBigUInt64LE(2n ** 40n, 192 * 1024 + 32);
    expect(faultsOf(image)).toEqual([
      'is a damaged vhdx file: its metadata is not where it belongs',
    ]);
  });

  it('refuse metadata that does not say how large the disk is', () => {
    const image = craftVhdx();
    image.writeUInt16LE(1, 1024 ** 2 + 10);
    expect(faultsOf(image)).toEqual([
      'is a damaged vhdx file: its metadata lacks the size of the disk',
    ]);
  });
});
