import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';

/**
 * Bytes that may wait while a write is under way; they go into one call together. More at once was
 * measured to cost the kernel more time than it saves.
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

/** The system may take less than it is given: a disk that fills up takes what still fits. */
async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  const total = chunks.reduce((bytes, { length }) => bytes + length, 0);
  if (bytesWritten < total) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}
