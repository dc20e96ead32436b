/**
 * Checksums that clients ask for. Public source: Amazon S3 user guide, "Checking object integrity".
 */
import type { IncomingHttpHeaders } from 'node:http';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import hashWasm, { type IHasher } from 'hash-wasm';
import { S3Error } from '../../http/s3-error.js';

export const CHECKSUM_ALGORITHMS = [
  'CRC32',
  'CRC32C',
  'CRC64NVME',
  'MD5',
  'SHA1',
  'SHA256',
  'SHA512',
  'XXHASH3',
  'XXHASH64',
  'XXHASH128',
] as const;
/** Public source: as above, "Default checksum". */
export const DEFAULT_ALGORITHM = 'CRC64NVME';

export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** A checksum of all bytes, or of the checksums of the parts. */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE';

export interface StoredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: ChecksumType;
  /** In base64; a composite one ends with `-` and the number of parts. */
  readonly value: string;
}

/** Bytes of a checksum. */
export const CHECKSUM_BYTES: Readonly<Record<ChecksumAlgorithm, number>> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  MD5: 16,
  SHA1: 20,
  SHA256: 32,
  SHA512: 64,
  XXHASH3: 8,
  XXHASH64: 8,
  XXHASH128: 16,
};

export interface ChecksumRequest {
  readonly algorithm: ChecksumAlgorithm;
  readonly expected?: string;
  /** The trailing header that has the client's value. */
  readonly trailer?: string;
}

/** The algorithm of a multipart upload's parts, and the type of the object's checksum. */
export interface ChecksumChoice {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: ChecksumType;
}

/** `x-amz-checksum-crc32` */
export function checksumHeaderOf(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/**
 * The checksum of a body, as its request states it. Public source: Amazon S3 API reference,
 * PutObject and UploadPart; user guide, "Checking object integrity".
 * @param headers by lower-case name: of a request, or fields of a form
 * @returns undefined if it asks for no checksum
 * @throws S3Error InvalidRequest for what contradicts itself, BadDigest for a value that can be no
 * checksum
 */
export function checksumRequestOf(headers: IncomingHttpHeaders): ChecksumRequest | undefined {
  const stated = namedIn(headers, 'x-amz-sdk-checksum-algorithm');
  const given = CHECKSUM_ALGORITHMS.filter((one) => headers[checksumHeaderOf(one)] !== undefined);
  const trailing = trailersOf(headers);
  const type = headers['x-amz-checksum-type'];
  // minio-go sends the type with a single body, which can only be FULL_OBJECT.
  if (type !== undefined && String(type).toUpperCase() !== 'FULL_OBJECT')
    throw new S3Error('InvalidRequest', {
      message: `The checksum of one body is of the type FULL_OBJECT, and not ${String(type)}.`,
    });
  if (given.length + trailing.length > 1)
    throw new S3Error('InvalidRequest', {
      message: `A request may have one checksum; this one has ${[...given, ...trailing].join(', ')}.`,
    });
  const [algorithm] = [...given, ...trailing];
  if (algorithm === undefined) {
    if (stated === undefined) return undefined;
    throw new S3Error('InvalidRequest', {
      message: `x-amz-sdk-checksum-algorithm names ${stated}, but neither a header nor x-amz-trailer has such a checksum.`,
    });
  }
  if (stated !== undefined && stated !== algorithm)
    throw new S3Error('InvalidRequest', {
      message: `x-amz-sdk-checksum-algorithm names ${stated}, but the checksum is of ${algorithm}.`,
    });
  if (given.length === 0) return { algorithm, trailer: checksumHeaderOf(algorithm) };
  const expected = String(headers[checksumHeaderOf(algorithm)]);
  requireChecksum(algorithm, expected);
  return { algorithm, expected };
}

/**
 * The checksum that CreateMultipartUpload and CopyObject ask for.
 * @returns undefined if none
 * @throws S3Error InvalidRequest for an algorithm that there is not, or a type that it cannot have
 */
export function checksumChoiceOf(headers: IncomingHttpHeaders): ChecksumChoice | undefined {
  const algorithm = namedIn(headers, 'x-amz-checksum-algorithm');
  const type = headers['x-amz-checksum-type'];
  if (type === undefined)
    return (
      algorithm && { algorithm, type: algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE' }
    );
  const asked = String(type).toUpperCase();
  if (asked !== 'FULL_OBJECT' && asked !== 'COMPOSITE')
    throw new S3Error('InvalidRequest', {
      message: `The value ${String(type)} of x-amz-checksum-type is neither FULL_OBJECT nor COMPOSITE.`,
    });
  if (algorithm === undefined)
    throw new S3Error('InvalidRequest', {
      message: 'x-amz-checksum-type needs x-amz-checksum-algorithm beside it.',
    });
  // Only CRCs of parts can be combined to that of the object.
  if (asked === 'COMPOSITE' ? algorithm === 'CRC64NVME' : !algorithm.startsWith('CRC'))
    throw new S3Error('InvalidRequest', {
      message: `The checksum type ${asked} cannot be used with ${algorithm}.`,
    });
  return { algorithm, type: asked };
}

/** @throws S3Error BadDigest for a value of another length, or not in base64 */
export function requireChecksum(algorithm: ChecksumAlgorithm, value: string): void {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === CHECKSUM_BYTES[algorithm] && bytes.toString('base64') === value) return;
  throw new S3Error('BadDigest', {
    message: `The value ${value} of ${checksumHeaderOf(algorithm)} is not a base64-encoded ${algorithm}.`,
  });
}

function namedIn(headers: IncomingHttpHeaders, header: string): ChecksumAlgorithm | undefined {
  const value = headers[header];
  if (value === undefined) return undefined;
  const algorithm = algorithmOf(String(value));
  if (algorithm) return algorithm;
  throw new S3Error('InvalidRequest', {
    message: `${header} must be one of ${CHECKSUM_ALGORITHMS.join(', ')}, not ${String(value)}.`,
  });
}

/** The algorithms of trailing checksums. */
function trailersOf(headers: IncomingHttpHeaders): ChecksumAlgorithm[] {
  const names = String(headers['x-amz-trailer'] ?? '').split(',');
  return names.flatMap((name) => {
    const [, algorithm] = /^x-amz-checksum-(.+)$/i.exec(name.trim()) ?? [];
    return algorithm === undefined ? [] : [algorithmOf(algorithm) ?? unknown(name.trim())];
  });
}

function algorithmOf(text: string): ChecksumAlgorithm | undefined {
  return CHECKSUM_ALGORITHMS.find((one) => one === text.toUpperCase());
}

function unknown(name: string): never {
  throw new S3Error('InvalidRequest', {
    message: `x-amz-trailer names ${name}, which is not a supported checksum.`,
  });
}

/** A checksum in the headers of an answer. Public source: Amazon S3 API reference, PutObject. */
export function checksumHeaders(checksum: StoredChecksum | null): Record<string, string> {
  if (!checksum) return {};
  const { algorithm, type, value } = checksum;
  return { [checksumHeaderOf(algorithm)]: value, 'x-amz-checksum-type': type };
}

/** A checksum in the XML of an answer. Public source: Amazon S3 API reference, CopyObject. */
export function checksumElements(
  checksum: StoredChecksum | null,
): Readonly<Record<string, string>> {
  if (!checksum) return {};
  const { algorithm, type, value } = checksum;
  return { [`Checksum${algorithm}`]: value, ChecksumType: type };
}

export interface RunningChecksum {
  update(chunk: Uint8Array): void;
  /** The checksum, most significant byte first. Call it once. */
  digest(): Buffer;
}

/** Reversed, as both reflect their input: RFC 3720, 12.1, and the NVMe specification's CRC-64. */
const CRC32C_POLYNOMIAL = 0x82f63b78;
const CRC64NVME_POLYNOMIAL = '9a6c9329ac4bc9b5';

export async function beginChecksum(algorithm: ChecksumAlgorithm): Promise<RunningChecksum> {
  switch (algorithm) {
    case 'CRC32':
      return new Crc32();
    case 'CRC32C':
    case 'CRC64NVME':
    case 'XXHASH3':
    case 'XXHASH64':
    case 'XXHASH128':
      return new SharedHash(await SHARED[algorithm]());
    case 'MD5':
    case 'SHA1':
    case 'SHA256':
    case 'SHA512':
      return createHash(algorithm.toLowerCase());
  }
}

class Crc32 implements RunningChecksum {
  #value = 0;

  update(chunk: Uint8Array): void {
    this.#value = crc32(chunk, this.#value);
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(CHECKSUM_BYTES.CRC32);
    bytes.writeUInt32BE(this.#value);
    return bytes;
  }
}

/** One instance computes for all streams: each keeps its state, of at most 580 bytes. */
class SharedHash implements RunningChecksum {
  #state: Uint8Array;

  constructor(private readonly hasher: IHasher) {
    this.#state = hasher.init().save();
  }

  update(chunk: Uint8Array): void {
    this.#state = this.hasher.load(this.#state).update(chunk).save();
  }

  digest(): Buffer {
    return Buffer.from(this.hasher.load(this.#state).digest('binary'));
  }
}

/** Instances are compiled when the first client asks for their algorithm. */
const SHARED = {
  CRC32C: once(() => hashWasm.createCRC32(CRC32C_POLYNOMIAL)),
  CRC64NVME: once(() => hashWasm.createCRC64(CRC64NVME_POLYNOMIAL)),
  XXHASH3: once(() => hashWasm.createXXHash3()),
  XXHASH64: once(() => hashWasm.createXXHash64()),
  XXHASH128: once(() => hashWasm.createXXHash128()),
};

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
