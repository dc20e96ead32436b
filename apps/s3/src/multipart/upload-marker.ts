/** Where a list of uploads goes on. Public source: Amazon S3 API reference, ListMultipartUploads. */
import { asId, isUuid } from '@cumulet/common/context/ids';
import { S3Error } from '../http/s3-error.js';
import type { S3Query } from '../http/s3-request.js';
import { commonPrefixOf } from '../listing/listing-range.js';
import type { ContentId } from '../objects/object.entity.js';
import type { UploadMarker } from './upload-lists.js';

/** Before and behind all ids. */
const FIRST = asId<ContentId>('0'.repeat(32));
const LAST = asId<ContentId>('f'.repeat(32));
/** Behind all keys, since no byte of UTF-8 is that. */
const AFTER_ALL = Buffer.from([0xff]);

/**
 * A key as a marker stands for all uploads of it, unless one of them is named too; a key in a common
 * prefix stands for all that have it.
 * @throws S3Error InvalidArgument
 */
export function markerOf(query: S3Query): UploadMarker {
  const text = (name: string): string => query.get(name) ?? '';
  const key = text('key-marker');
  if (key === '') return { key: Buffer.alloc(0), id: FIRST };
  const asked = { prefix: text('prefix'), delimiter: text('delimiter') };
  const common = commonPrefixOf(key, asked);
  if (common !== undefined)
    return { key: Buffer.concat([Buffer.from(common), AFTER_ALL]), id: LAST };
  return { key: Buffer.from(key), id: idOf(text('upload-id-marker')) };
}

function idOf(text: string): ContentId {
  if (text === '') return LAST;
  if (isUuid(text)) return asId(text);
  throw new S3Error('InvalidArgument', {
    message: 'Invalid uploadId marker',
    details: { ArgumentName: 'upload-id-marker', ArgumentValue: text },
  });
}
