/** The `Range` header of a download. Public source: RFC 9110, "Range Requests". */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { ByteRange } from '@cumulet/storage/stores/byte-store';
import { RangeNotSatisfiableError } from '../images/image.errors.js';

/**
 * The part of `size` bytes that the header asks for; undefined without one.
 * @throws RangeNotSatisfiableError when it is malformed or asks for bytes beyond the end
 * @throws InvalidInputError for several ranges at once
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  if (header.includes(',')) {
    throw new InvalidInputError(`Range '${header}' has several parts; ask for one at a time.`);
  }
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header.trim());
  const range = match && rangeWithin(size, match[1] ?? '', match[2] ?? '');
  if (!range) throw new RangeNotSatisfiableError(header, size);
  return range;
}

/** `3-6`, `3-` from there to the end, `-4` the last four. */
function rangeWithin(size: number, from: string, to: string): ByteRange | undefined {
  if (from === '' && to === '') return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first <= last && first < size ? { first, last } : undefined;
}

/** The headers of an answer with this part, or with all. */
export function lengthHeaders(size: number, range: ByteRange | undefined): Record<string, string> {
  if (!range) return { 'Content-Length': String(size) };
  const { first, last } = range;
  return {
    'Content-Length': String(last - first + 1),
    'Content-Range': `bytes ${first}-${last}/${size}`,
  };
}
