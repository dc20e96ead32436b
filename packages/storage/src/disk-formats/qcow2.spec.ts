import { describe, expect, it } from '@jest/globals';
import { craftQcow2 } from '@cumulet/testing/disk-images/crafted-images';
import { wholeImage } from './image-bytes.js';
import { inspectImage } from './inspect-image.js';

function faultsOf(image: Buffer | string): readonly string[] {
  return inspectImage(wholeImage(Buffer.from(image))).faults;
}

describe('qcow2', () => {
  function changed(change: (image: Buffer) => unknown): readonly string[] {
    const image = craftQcow2();
    change(image);
    return faultsOf(image);
  }

  it('accepts features that do not concern readers', () => {
    expect(faultsOf(craftQcow2({ features: 0b11001n }))).toEqual([]);
  });

  it('names all objections', () => {
    expect(
      changed((image) => {
        image.writeBigUInt64BE(512n, 8);
        image.writeUInt32BE(2, 32);
        image.writeBigUInt64BE(0b110n, 72);
      }),
    ).toEqual([
      'has a backing file; upload an image that is complete in itself',
      'is encrypted',
      'keeps its data in an external file; upload one complete in itself',
      'is marked corrupt or uses qcow2 features that are unknown here',
    ]);
  });

  it('refuses features that are unknown, in every bit', () => {
    for (let bit = 5n; bit < 64n; bit += 1n) {
      expect(faultsOf(craftQcow2({ features: 1n << bit }))).toHaveLength(1);
    }
  });

  it('has no features in version 2', () => {
    expect(faultsOf(craftQcow2({ version: 2, features: 4n }))).toEqual([]);
  });

  it.each([0, 1, 4])('refuses version %s', (version) => {
    expect(faultsOf(craftQcow2({ version }))).toEqual([
      `is a damaged qcow2 file: its version is ${version}; only 2 and 3 are supported`,
    ]);
  });
});
