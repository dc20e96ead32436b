import { describe, expect, it } from '@jest/globals';
import {
  craftDynamicVhd,
  craftIso,
  craftQcow2,
  craftStreamedVmdk,
  craftVhdx,
  everyFormat,
  vhdFooter,
} from '@cumulet/testing/disk-images/crafted-images';
import { mutations, randomOf } from '@cumulet/testing/disk-images/mutations';
import { wholeImage } from '@cumulet/storage/disk-formats/image-bytes';
import { ImageInspector } from './image-inspector.js';
import { judgeImage, type Verdict } from './judge-image.js';

const MIB = 1024 ** 2;

function verdictOn(diskFormat: string, chunks: Iterable<Buffer>): Verdict {
  const inspector = new ImageInspector({ diskFormat, containerFormat: 'bare' });
  for (const chunk of chunks) inspector.observe(chunk);
  return inspector.verdict();
}

function* pieces(data: Buffer, length: (from: number) => number): Generator<Buffer> {
  let from = 0;
  while (from < data.length) {
    const to = from + length(from);
    yield data.subarray(from, to);
    from = to;
  }
}

describe('ImageInspector', () => {
  it.each<[string, Buffer]>([
    ['qcow2', craftQcow2()],
    ['vhdx', craftVhdx()],
    ['vhd', craftDynamicVhd()],
    ['vhd', Buffer.concat([Buffer.alloc(MIB), vhdFooter(2)])],
    ['vmdk', craftStreamedVmdk()],
  ])('knows a %s, however its bytes are cut', (diskFormat, data) => {
    for (const length of [7, 511, 1000, 65_536, 65_537, 300_000, data.length]) {
      const verdict = verdictOn(
        diskFormat,
        pieces(data, () => length),
      );
      expect(verdict).toEqual({ isAccepted: true, virtualSize: MIB });
    }
  });

  it('copies bytes, so that memory can be reused', () => {
    const inspector = new ImageInspector({ diskFormat: 'vhdx', containerFormat: 'bare' });
    const reused = Buffer.alloc(10_000);
    for (const piece of pieces(craftVhdx(), () => reused.length)) {
      piece.copy(reused);
      inspector.observe(reused.subarray(0, piece.length));
    }
    expect(inspector.verdict()).toEqual({ isAccepted: true, virtualSize: MIB });
  });

  it('does not modify the bytes', () => {
    const data = craftIso({ partitions: true });
    const before = Buffer.from(data);
    verdictOn(
      'iso',
      pieces(data, () => 1000),
    );
    expect(data.equals(before)).toBe(true);
  });

  it('judges an empty image', () => {
    expect(verdictOn('raw', [])).toEqual({ isAccepted: true, virtualSize: 0 });
    expect(verdictOn('qcow2', [Buffer.alloc(0)])).toMatchObject({ isAccepted: false });
  });

  it('does not inspect containers', () => {
    const inspector = new ImageInspector({ diskFormat: 'raw', containerFormat: 'docker' });
    inspector.observe(craftQcow2());
    expect(inspector.verdict()).toEqual({ isAccepted: true, virtualSize: null });
  });

  it('does without metadata that passed before its offset was known', () => {
    const data = craftVhdx();
    data.writeBigUInt64LE(BigInt(2 * MIB), 192 * 1024 + 32);
    expect(
      verdictOn(
        'vhdx',
        pieces(data, () => 4096),
      ),
    ).toEqual({
      isAccepted: false,
      reason: 'The image is a damaged vhdx file: its metadata is not where it belongs.',
    });
  });

  it.each(everyFormat().map((image, index): [number, Buffer] => [index, image]))(
    'agrees with the verdict on the whole file: mutations of image %s',
    (index, image) => {
      const random = randomOf(index);
      for (const data of mutations(image, { seed: index + 1000, rounds: 60 })) {
        for (const diskFormat of ['raw', 'qcow2', 'vmdk', 'vhd', 'vhdx', 'vdi', 'iso', 'ploop']) {
          const declared = { diskFormat, containerFormat: 'bare' };
          const chunks = pieces(data, () => 1 + random(1 + random(200_000)));
          expect(verdictOn(diskFormat, chunks)).toEqual(
            judgeImage(declared, { ...wholeImage(data), size: data.length }),
          );
        }
      }
    },
  );
});
