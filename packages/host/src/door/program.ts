/** A program as the list of its files: how they are named, bounded and summed up. Pure. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';

export interface ProgramFile {
  /** Relative to the program's folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
  /** Of its contents, in hexadecimal digits. */
  readonly sha256: string;
}

export const MAX_FILES = 10_000;
export const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_PATH_CHARACTERS = 500;

/** Whether a path names a file within the program's folder, in one way only. */
export function isProgramPath(path: string): boolean {
  return (
    path.length <= MAX_PATH_CHARACTERS &&
    /^[^\0\\]+$/.test(path) &&
    path === posix.normalize(path) &&
    !/^\/|^\.\.?(\/|$)|\/$/.test(path)
  );
}

/** Names the program by its contents, whatever the order of its files. */
export function buildIdOf(files: readonly ProgramFile[]): string {
  const lines = files.map(({ path, bytes, sha256 }) => `${sha256} ${bytes} ${path}\n`);
  return createHash('sha256').update(lines.sort().join('')).digest('hex').slice(0, 32);
}
