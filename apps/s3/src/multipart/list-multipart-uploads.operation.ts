/** Lists uploads under way. Public source: Amazon S3 API reference, ListMultipartUploads. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import type { XmlTree } from '../http/xml.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { encodingOf, numberOf } from '../listing/list-parameters.js';
import type { ListedUpload } from './upload-lists.js';
import { markerOf } from './upload-marker.js';
import { uploadElements } from './upload.view.js';
import { UploadRepository } from './upload.repository.js';

const MAX_LISTED = 1000;

@Injectable()
@Handles('ListMultipartUploads')
export class ListMultipartUploads implements Operation<BucketCall> {
  constructor(private readonly uploads: UploadRepository) {}

  /** @throws S3Error InvalidArgument */
  async run({ ctx, bucket, request: { query } }: BucketCall): Promise<S3Answer> {
    const text = (name: string): string => query.get(name) ?? '';
    const encode = encodingOf(query);
    const limit = Math.min(numberOf(query, 'max-uploads') ?? MAX_LISTED, MAX_LISTED);
    const [prefix, delimiter] = [text('prefix'), text('delimiter')];
    const found = await this.uploads.list(ctx, {
      bucketId: bucket.id,
      prefix,
      after: markerOf(query),
      delimiter,
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const isTruncated = limit > 0 && found.length > limit;
    return xmlAnswer('ListMultipartUploadsResult', {
      Bucket: bucket.name,
      KeyMarker: encode(text('key-marker')),
      UploadIdMarker: text('upload-id-marker'),
      ...(isTruncated && nextMarkers(page.at(-1), encode)),
      Prefix: encode(prefix),
      Delimiter: delimiter === '' ? undefined : encode(delimiter),
      EncodingType: query.get('encoding-type'),
      MaxUploads: limit,
      IsTruncated: isTruncated,
      Upload: page.filter((one) => !one.commonPrefix).map((one) => uploadElement(one, encode)),
      CommonPrefixes: page.flatMap(({ commonPrefix }) =>
        commonPrefix ? [{ Prefix: encode(commonPrefix.toString()) }] : [],
      ),
    });
  }
}

function uploadElement(upload: ListedUpload, encode: (text: string) => string): XmlTree {
  return {
    Key: encode(upload.key.toString()),
    ...uploadElements(upload),
    Initiated: upload.initiatedAt,
  };
}

function nextMarkers(last: ListedUpload | undefined, encode: (text: string) => string) {
  if (!last) return {};
  const { commonPrefix } = last;
  return {
    NextKeyMarker: encode((commonPrefix ?? last.key).toString()),
    NextUploadIdMarker: commonPrefix ? '' : last.id,
  };
}
