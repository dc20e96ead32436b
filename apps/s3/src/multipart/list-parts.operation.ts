/** Lists the parts of an upload. Public source: Amazon S3 API reference, ListParts. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import type { XmlTree } from '../http/xml.js';
import { abortHeaders } from '../lifecycle/abort-headers.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { numberOf } from '../listing/list-parameters.js';
import type { Part } from './part.entity.js';
import { PartRepository } from './part.repository.js';
import { noSuchUpload } from './upload-id.js';
import { uploadNameOf } from './upload-name.js';
import { uploadElements } from './upload.view.js';
import { UploadRepository } from './upload.repository.js';

const MAX_LISTED = 1000;

@Injectable()
@Handles('ListParts')
export class ListParts implements Operation<ObjectCall> {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly parts: PartRepository,
  ) {}

  /** @throws S3Error NoSuchUpload, InvalidArgument */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { ctx, bucket, key } = call;
    const { query } = call.request;
    const limit = Math.min(numberOf(query, 'max-parts') ?? MAX_LISTED, MAX_LISTED);
    const after = numberOf(query, 'part-number-marker') ?? 0;
    const name = uploadNameOf(call);
    const upload = await this.uploads.find(ctx, name);
    if (!upload) throw noSuchUpload(name.id);
    const found = await this.parts.list(ctx, upload.id, after, limit + 1);
    const parts = found.slice(0, limit);
    const tree = {
      Bucket: bucket.name,
      Key: key,
      ...uploadElements(upload),
      PartNumberMarker: after,
      NextPartNumberMarker: parts.at(-1)?.number ?? after,
      MaxParts: limit,
      IsTruncated: limit > 0 && found.length > limit,
      Part: parts.map(partElement),
    };
    return xmlAnswer('ListPartsResult', tree, { headers: abortHeaders(bucket, upload) });
  }
}

function partElement({ number, modifiedAt, etag, size, checksum }: Part): XmlTree {
  return {
    PartNumber: number,
    LastModified: modifiedAt,
    ETag: `"${etag}"`,
    Size: size,
    ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value }),
  };
}
