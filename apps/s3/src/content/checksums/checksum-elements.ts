import type { StoredChecksum } from './checksum.js';

/** A checksum in the XML of an answer. Public source: Amazon S3 API reference, CopyObject. */
export function checksumElements(
  checksum: StoredChecksum | null,
): Readonly<Record<string, string>> {
  if (!checksum) return {};
  const { algorithm, type, value } = checksum;
  return { [`Checksum${algorithm}`]: value, ChecksumType: type };
}
