import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  decrypted,
  encrypted,
  FRAME_BYTES,
  framesOf,
  storedSizeOf,
  TAG_BYTES,
} from './content-keys.js';

const KEY = randomBytes(32);
const SIZES = [0, 1, FRAME_BYTES - 1, FRAME_BYTES, FRAME_BYTES + 1, 3 * FRAME_BYTES, 300_001];

async function bytesOf(data: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of data) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function chunksOf(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

async function read(stored: Buffer, size: number, first = 0, last = size - 1): Promise<Buffer> {
  const frames = framesOf({ first, last }, size);
  const part = stored.subarray(frames.stored.first, frames.stored.last + 1);
  async function* data(): AsyncIterable<Buffer> {
    yield* await Promise.resolve(chunksOf(part, 10_007));
  }
  return bytesOf(decrypted(KEY, data(), frames, size));
}

describe('encrypted bytes', () => {
  it.each(SIZES)('of %i bytes have the predicted size and are read back', async (size) => {
    const plain = randomBytes(size);
    const stored = await bytesOf(encrypted(KEY, chunksOf(plain, 1_000)));
    expect(stored).toHaveLength(storedSizeOf(size));
    if (size > 0) expect((await read(stored, size)).equals(plain)).toBe(true);
  });

  it('are read in ranges', async () => {
    const size = 300_001;
    const plain = randomBytes(size);
    const stored = await bytesOf(encrypted(KEY, [plain]));
    for (const [first, last] of [
      [0, 0],
      [FRAME_BYTES - 1, FRAME_BYTES],
      [FRAME_BYTES, 2 * FRAME_BYTES - 1],
      [100_000, 250_000],
      [size - 1, size - 1],
    ] as const) {
      const part = await read(stored, size, first, last);
      expect(part.equals(plain.subarray(first, last + 1))).toBe(true);
    }
  });

  const size = 3 * FRAME_BYTES;
  const frame = FRAME_BYTES + TAG_BYTES;
  it.each<[string, (stored: Buffer) => Buffer, number]>([
    ['changed', (all) => Buffer.from(all.map((byte, at) => (at === 7 ? byte ^ 1 : byte))), size],
    ['truncated', (all) => all.subarray(0, 2 * frame), size],
    ['truncated together with their count', (all) => all.subarray(0, 2 * frame), 2 * FRAME_BYTES],
    ['truncated within a tag', (all) => all.subarray(0, -3), size],
    [
      'moved',
      (all) =>
        Buffer.concat([
          all.subarray(frame, 2 * frame),
          all.subarray(0, frame),
          all.subarray(2 * frame),
        ]),
      size,
    ],
  ])('are not read if they are %s', async (_, change, claimed) => {
    const stored = await bytesOf(encrypted(KEY, [randomBytes(size)]));
    await expect(read(change(stored), claimed)).rejects.toThrow();
  });
});
