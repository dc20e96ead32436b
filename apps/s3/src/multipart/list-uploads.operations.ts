/**
 * Lists of uploads under way, and of the parts of one. Public source: Amazon S3 API reference,
 * ListMultipartUploads and ListParts.
 */
import { asId, isUuid } from '@cumulet/common/context/ids';
import { abortHeaders } from '../buckets/lifecycle-rules.js';
import type { Part } from '../content/part.entity.js';
import { PartRepository } from '../content/part.repository.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { invalidArgument } from '../http/s3-error.js';
import type { S3Query } from '../http/s3-request.js';
import type { XmlTree } from '../http/xml.js';
import { commonPrefixOf } from '../listing/listing-range.js';
import type { ContentId } from '../content/received.js';
import { encodingOf, numberOf } from '../operations/list-parameters.js';
import {
  Handles,
  type BucketCall,
  type ObjectCall,
  type Operation,
} from '../operations/operation.js';
import { noSuchUpload, uploadNameOf, type Upload } from './upload.entity.js';
import { UploadRepository, type ListedUpload, type UploadMarker } from './upload.repository.js';

const MAX_LISTED = 1000;

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

const FIRST = asId<ContentId>('0'.repeat(32));
const LAST = asId<ContentId>('f'.repeat(32));
/** Sorts after all keys, since no byte of UTF-8 is 0xFF. */
const AFTER_ALL = Buffer.from([0xff]);

/**
 * The marker of a list of uploads. Public source: Amazon S3 API reference, ListMultipartUploads.
 *
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
  throw invalidArgument('upload-id-marker', text, 'Invalid uploadId marker');
}

/** A project is named by its ID alone. */
function account(projectId: string | null): XmlTree {
  return projectId === null ? undefined : { ID: projectId, DisplayName: projectId };
}

function uploadElements(upload: Upload): Readonly<Record<string, XmlTree>> {
  return {
    UploadId: upload.id,
    Initiator: account(upload.initiatorId),
    Owner: account(upload.ownerId),
    StorageClass: upload.storageClass,
    ChecksumAlgorithm: upload.checksumAlgorithm ?? undefined,
    ChecksumType: upload.checksumType ?? undefined,
  };
}
