/** Where a list of uploads goes on. Public source: Amazon S3 API reference, ListMultipartUploads. */
import { asId, isUuid } from '@cumulet/common/context/ids';
import { S3Error } from '../http/s3-error.js';
import type { S3Query } from '../http/s3-query.js';
import type { ContentId } from '../objects/object.entity.js';
import type { UploadMarker } from './upload-lists.js';

/** Before and behind all ids. */
const FIRST = asId<ContentId>('0'.repeat(32));
const LAST = asId<ContentId>('f'.repeat(32));

/**
 * A key as a marker stands for all uploads of it, unless one of them is named too; a common prefix,
 * as which lists end as well, for all uploads whose keys begin with it.
 * @throws S3Error InvalidArgument
 */
export function markerOf(query: S3Query): UploadMarker {
  const [key, id] = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''];
  if (key === '') return { key: Buffer.alloc(0), id: FIRST };
  if (id !== '') return { key: Buffer.from(key), id: requireId(id) };
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const at =
    delimiter !== '' && key.startsWith(prefix) ? key.indexOf(delimiter, prefix.length) : -1;
  const isPrefix = at >= 0 && at + delimiter.length === key.length;
  const bytes = Buffer.from(key);
  return { key: isPrefix ? Buffer.concat([bytes, BEHIND_ALL]) : bytes, id: LAST };
}

/** In no key, since these are UTF-8. */
const BEHIND_ALL = Buffer.from([0xff]);

function requireId(id: string): ContentId {
  if (isUuid(id)) return asId(id);
  throw new S3Error('InvalidArgument', {
    message: 'Invalid uploadId marker',
    details: { ArgumentName: 'upload-id-marker', ArgumentValue: id },
  });
}
