/** Whether bytes are those that a row says. Pure. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Encryption } from '../content/encryption/encryption.js';
import { storedSizeOf } from '../content/encryption/frames.js';

/** What identifies bytes as they are in the store. */
export interface Fingerprint {
  readonly size: number;
  /** MD5 in hexadecimal of what is stored as it came; CRC32 of what is encrypted, if known. */
  readonly checksum: string | undefined;
}

interface Described {
  readonly size: number;
  readonly etag: string;
  readonly encryption: Encryption | null;
}

/** What the store should have for a row. Encrypted bytes are compared without their key. */
export function expectedOf({ size, etag, encryption }: Described): Fingerprint {
  if (!encryption) return { size, checksum: etag };
  return { size: storedSizeOf(size), checksum: encryption.storedCrc32?.toString() };
}

/** What the store has. */
export async function fingerprintOf(
  chunks: AsyncIterable<Buffer>,
  { encryption }: Pick<Described, 'encryption'>,
): Promise<Fingerprint> {
  const md5 = encryption ? undefined : createHash('md5');
  let size = 0;
  let crc = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (md5) md5.update(chunk);
    else crc = crc32(chunk, crc);
  }
  return { size, checksum: md5 ? md5.digest('hex') : String(crc) };
}
