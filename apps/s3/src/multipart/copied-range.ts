/** Which bytes of its source a part is copied from. Public source: Amazon S3 API reference,
 * UploadPartCopy. Pure. */
import type { ByteRange } from '@cumulet/storage/stores/byte-store';
import { S3Error } from '../http/s3-error.js';

/**
 * @param header `bytes=0-9`, with both ends, or undefined
 * @param size bytes of the source
 * @returns undefined for all of it
 * @throws S3Error InvalidArgument for what is no range; InvalidRange for one past the end
 */
export function copiedRangeOf(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header) ?? [];
  const range = { first: Number(first), last: Number(last) };
  const details = { ArgumentName: 'x-amz-copy-source-range', ArgumentValue: header };
  if (first === '' || range.last < range.first)
    throw new S3Error('InvalidArgument', {
      message:
        'The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy',
      details,
    });
  if (range.last >= size)
    throw new S3Error('InvalidRange', {
      message: `Range specified is not valid for source object of size: ${size}`,
      details,
    });
  return range;
}
