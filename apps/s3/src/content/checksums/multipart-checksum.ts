/**
 * The checksum of a multipart object from those of its parts. Public source: Amazon S3 user guide,
 * "Checksum types: full object and composite".
 */
import type { StoredChecksum } from './checksum.js';
import type { ChecksumChoice } from './checksum-request.js';
import { combineCrcs, type CrcAlgorithm } from './crc-combine.js';
import { beginChecksum } from './running-checksum.js';

export interface PartChecksum {
  /** In base64. */
  readonly value: string;
  /** Bytes of the part. */
  readonly size: number;
}

/** @param parts in order; all of the choice's algorithm */
export async function checksumOfParts(
  { algorithm, type }: ChecksumChoice,
  parts: readonly PartChecksum[],
): Promise<StoredChecksum> {
  const pieces = parts.map(({ value, size }) => ({ crc: Buffer.from(value, 'base64'), size }));
  if (type === 'FULL_OBJECT') {
    const crc = combineCrcs(algorithm as CrcAlgorithm, pieces);
    return { algorithm, type, value: crc.toString('base64') };
  }
  const checksum = await beginChecksum(algorithm);
  for (const { crc } of pieces) checksum.update(crc);
  return { algorithm, type, value: `${checksum.digest().toString('base64')}-${parts.length}` };
}
