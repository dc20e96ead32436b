import type { StoredChecksum } from './checksum.js';
import { checksumHeaderOf } from './checksum-request.js';

/** A checksum in the headers of an answer. Public source: Amazon S3 API reference, PutObject. */
export function checksumHeaders(checksum: StoredChecksum | null): Record<string, string> {
  if (!checksum) return {};
  const { algorithm, type, value } = checksum;
  return { [checksumHeaderOf(algorithm)]: value, 'x-amz-checksum-type': type };
}
