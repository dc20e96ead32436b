/** Checksums that clients ask for. Public source: Amazon S3 user guide, "Checking object integrity". */

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
/** Of objects whose clients ask for none. Public source: as above, "Default checksum". */
export const DEFAULT_ALGORITHM = 'CRC64NVME';

export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** Of all bytes, or of the checksums of the parts. */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE';

export interface StoredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: ChecksumType;
  /** In base64; a composite one ends with `-` and the number of parts. */
  readonly value: string;
}
