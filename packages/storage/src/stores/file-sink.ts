import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';

/**
 * Bytes that may wait during a write; they are written together. Larger batches were measured to
 * cost the kernel more time than they save.
 */
const WAITING = 128 * 1024;

/**
 * A stream into an open file, which stays open.
 * @param asError turns a failed write into the error that the stream ends with
 */
export function fileSink(file: FileHandle, asError: (error: unknown) => unknown): Writable {
  return new Writable({
    highWaterMark: WAITING,
    writev(waiting, done) {
      writeAll(
        file,
        waiting.map(({ chunk }) => chunk as Buffer),
      ).then(
        () => done(),
        (error: unknown) => done(asError(error) as Error),
      );
    },
  });
}

/** A write may be partial: a disk that fills up takes what still fits. */
async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  const total = chunks.reduce((bytes, { length }) => bytes + length, 0);
  if (bytesWritten < total) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}
