/** Which bytes a request asks for. Public source: RFC 9110, 14.1.2 and 14.2. Pure. */
import type { ByteRange } from '@cumulet/storage/stores/byte-store';
import { S3Error } from '../http/s3-error.js';

export type { ByteRange };

/**
 * @param header as it came; what is no range of bytes, or names several, asks for all of them
 * @param size of the object in bytes
 * @returns undefined for all of them
 * @throws S3Error InvalidRange, with what the object has
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/.exec(header ?? '') ?? [];
  if (header === undefined || from === undefined || to === undefined) return undefined;
  if (from === '') return to === '' ? undefined : suffixOf(header, Number(to), size);
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) throw unsatisfiable(header, size);
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

function suffixOf(header: string, length: number, size: number): ByteRange {
  if (length === 0 || size === 0) throw unsatisfiable(header, size);
  return { first: Math.max(0, size - length), last: size - 1 };
}

function unsatisfiable(header: string, size: number): S3Error {
  return new S3Error('InvalidRange', {
    details: { RangeRequested: header, ActualObjectSize: size },
    headers: { 'content-range': `bytes */${size}` },
  });
}
