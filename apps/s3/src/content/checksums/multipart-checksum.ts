/**
 * The checksum of a multipart object from those of its parts. Public source: Amazon S3 user guide,
 * "Checksum types: full object and composite".
 */
import {
  type ChecksumAlgorithm,
  type ChecksumChoice,
  type StoredChecksum,
  beginChecksum,
} from './checksum.js';

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

export type CrcAlgorithm = Extract<ChecksumAlgorithm, `CRC${string}`>;

interface Field {
  readonly bits: number;
  /** Reflected: the highest bit is the coefficient of x^0. */
  readonly polynomial: bigint;
}

const FIELDS: Readonly<Record<CrcAlgorithm, Field>> = {
  CRC32: { bits: 32, polynomial: 0xedb88320n },
  CRC32C: { bits: 32, polynomial: 0x82f63b78n },
  CRC64NVME: { bits: 64, polynomial: 0x9a6c9329ac4bc9b5n },
};

export interface CrcOf {
  readonly crc: Buffer;
  /** Bytes that it is of. */
  readonly size: number;
}

/**
 * The CRC of a concatenation from the CRCs of its pieces: each earlier one is shifted by the length
 * of the later ones, which is a multiplication in GF(2)[x] modulo the polynomial. Pure.
 * @param pieces in order. Without any, the result is the CRC of no bytes: zero.
 */
function combineCrcs(algorithm: CrcAlgorithm, pieces: readonly CrcOf[]): Buffer {
  const field = FIELDS[algorithm];
  // All parts but the last usually have one size.
  const shifts = new Map<number, bigint>();
  let combined = 0n;
  for (const { crc, size } of pieces) {
    const shift = shifts.get(size) ?? powerOfX(field, 8 * size);
    shifts.set(size, shift);
    combined = multiply(field, combined, shift) ^ BigInt(`0x${crc.toString('hex')}`);
  }
  return Buffer.from(combined.toString(16).padStart(field.bits / 4, '0'), 'hex');
}

function powerOfX(field: Field, exponent: number): bigint {
  const one = 1n << BigInt(field.bits - 1);
  let power = one;
  let square = one >> 1n;
  for (let rest = BigInt(exponent); rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = multiply(field, power, square);
    square = multiply(field, square, square);
  }
  return power;
}

function multiply({ bits, polynomial }: Field, one: bigint, other: bigint): bigint {
  let product = 0n;
  let shifted = other;
  for (let bit = 1n << BigInt(bits - 1); bit > 0n; bit >>= 1n) {
    if (one & bit) product ^= shifted;
    shifted = shifted & 1n ? (shifted >> 1n) ^ polynomial : shifted >> 1n;
  }
  return product;
}
