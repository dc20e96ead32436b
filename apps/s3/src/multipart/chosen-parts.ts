/**
 * What an object is made of: parts of its upload that the client lists. Public source: Amazon S3
 * API reference, CompleteMultipartUpload; Amazon S3 user guide, "Checking object integrity". Pure.
 */
import { createHash } from 'node:crypto';
import type { ChecksumAlgorithm } from '../content/checksums/checksum.js';
import { S3Error } from '../http/s3-error.js';
import type { ListedPart } from './complete-request.js';
import type { Part } from './part.entity.js';

/** Bytes of a part that is not the last. */
const MIN_PART_SIZE = 5 * 1024 * 1024;

export interface ChosenParts {
  readonly parts: readonly Part[];
  /** Numbers of parts that the object does not have. */
  readonly others: readonly number[];
  /** Bytes. */
  readonly size: number;
  /** Without quotes: the MD5 of the MD5s of the parts, and how many there are. */
  readonly etag: string;
}

/**
 * @param stored all parts of the upload
 * @throws S3Error InvalidPart for one that is not there, or is another; EntityTooSmall
 */
export function chosenParts(
  uploadId: string,
  listed: readonly ListedPart[],
  stored: readonly Part[],
): ChosenParts {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const parts = listed.map((one) => {
    const part = byNumber.get(one.number);
    if (!part || !isSame(part, one)) throw invalidPart(uploadId, one);
    byNumber.delete(one.number);
    return part;
  });
  const small = parts.slice(0, -1).find(({ size }) => Number(size) < MIN_PART_SIZE);
  if (small) throw tooSmall(small);
  return {
    parts,
    others: [...byNumber.keys()],
    size: parts.reduce((sum, { size }) => sum + Number(size), 0),
    etag: tagOf(parts),
  };
}

/** A checksum that the client names but the part was not stored with cannot be compared. */
function isSame({ etag, checksum, crc64 }: Part, listed: ListedPart): boolean {
  const sumOf = (algorithm: ChecksumAlgorithm): string | null => {
    if (checksum?.algorithm === algorithm) return checksum.value;
    return algorithm === 'CRC64NVME' ? crc64 : null;
  };
  const isSameSum = ([algorithm, value]: ListedPart['checksums'][number]): boolean =>
    (sumOf(algorithm) ?? value) === value;
  return etag === listed.etag && listed.checksums.every(isSameSum);
}

/** The MD5 of the MD5s of parts, and how many there are: the ETag of an object, without quotes. */
export function tagOf(parts: readonly Pick<Part, 'etag'>[]): string {
  const hash = createHash('md5');
  for (const { etag } of parts) hash.update(etag, 'hex');
  return `${hash.digest('hex')}-${parts.length}`;
}

function invalidPart(uploadId: string, { number, etag }: ListedPart): S3Error {
  return new S3Error('InvalidPart', {
    details: { UploadId: uploadId, PartNumber: number, ETag: etag },
  });
}

function tooSmall({ number, size, etag }: Part): S3Error {
  return new S3Error('EntityTooSmall', {
    message: `Part ${number} has ${size} bytes: each part but the last has at least ${MIN_PART_SIZE}.`,
    details: { ProposedSize: size, MinSizeAllowed: MIN_PART_SIZE, PartNumber: number, ETag: etag },
  });
}
