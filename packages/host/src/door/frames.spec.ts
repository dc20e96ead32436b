import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeFrame, FRAME_KINDS, MAX_BYTES, readFrames, type Frame } from './frames.js';

// oxlint-disable-next-line typescript/require-await
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function framesIn(bytes: Buffer, size = 7): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of readFrames(inPieces(bytes, size))) frames.push(frame);
  return frames;
}

describe('frames', () => {
  it('arrive as they were sent, however the stream is cut', async () => {
    const frame = fc.record({
      kind: fc.constantFrom(...Object.values(FRAME_KINDS)),
      body: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    });
    const property = fc.asyncProperty(
      fc.array(frame, { maxLength: 6 }),
      fc.integer({ min: 1, max: 50 }),
      async (frames, size) => {
        const bytes = Buffer.concat(frames.map(({ kind, body }) => encodeFrame(kind, body)));
        expect(await framesIn(bytes, size)).toEqual(frames);
      },
    );
    await fc.assert(property);
  });

  it.each([
    ['no known kind', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'of no known kind'],
    ['a body that is too long', Buffer.from([0x4f, 0, 1, 0, 1]), `${MAX_BYTES} bytes at most`],
    ['a head that is cut', Buffer.from('J'), 'ended within a frame'],
    ['a body that is cut', Buffer.from('J\0\0\0\x02{'), 'ended within a frame'],
  ])('of %s are refused', async (_, bytes, message) => {
    await expect(framesIn(bytes)).rejects.toThrow(message);
  });
});
