import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type ChecksumAlgorithm, beginChecksum } from './checksum.js';
import { checksumOfParts, type PartChecksum } from './multipart-checksum.js';

async function checksumOf(algorithm: ChecksumAlgorithm, bytes: Buffer): Promise<string> {
  const checksum = await beginChecksum(algorithm);
  checksum.update(bytes);
  return checksum.digest().toString('base64');
}

async function partsOf(
  algorithm: ChecksumAlgorithm,
  pieces: readonly Buffer[],
): Promise<PartChecksum[]> {
  return Promise.all(
    pieces.map(async (bytes) => ({
      value: await checksumOf(algorithm, bytes),
      size: bytes.length,
    })),
  );
}

describe('the checksum of a multipart object', () => {
  it.each(['CRC32', 'CRC32C', 'CRC64NVME'] as const)(
    'of %s over all bytes equals that of the whole',
    async (algorithm) => {
      const pieces = [70_000, 70_000, 0, 1, 12_345].map((size) => randomBytes(size));
      const parts = await partsOf(algorithm, pieces);
      expect(await checksumOfParts({ algorithm, type: 'FULL_OBJECT' }, parts)).toEqual({
        algorithm,
        type: 'FULL_OBJECT',
        value: await checksumOf(algorithm, Buffer.concat(pieces)),
      });
    },
  );

  it('of parts ends with their number', async () => {
    // Five MiB of A, of B and of C.
    const values = [
      '275VF5loJr1YYawit0XSHREhkFXYkkPKGuoK0x9VKxI=',
      'mrHwOfjTL5Zwfj74F05HOQGLdUb7E5szdCbxgUSq6NM=',
      'Vw7oB/nKQ5xWb3hNgbyfkvDiivl+U+/Dft48nfJfDow=',
    ];
    const parts = values.map((value) => ({ value, size: 5 * 1024 * 1024 }));
    expect(await checksumOfParts({ algorithm: 'SHA256', type: 'COMPOSITE' }, parts)).toEqual({
      algorithm: 'SHA256',
      type: 'COMPOSITE',
      value: 'uWBwpe1dxI4Vw8Gf0X9ynOdw/SS6VBzfWm9giiv1sf4=-3',
    });
  });

  it('of 10,000 parts equals that of the whole', async () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => Buffer.alloc(100, index % 251));
    const choice = { algorithm: 'CRC64NVME', type: 'FULL_OBJECT' } as const;
    const { value } = await checksumOfParts(choice, await partsOf('CRC64NVME', pieces));
    expect(value).toBe(await checksumOf('CRC64NVME', Buffer.concat(pieces)));
  });
});
