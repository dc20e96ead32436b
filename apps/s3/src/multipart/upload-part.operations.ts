/**
 * The parts of an upload, from a body or from an object. Public source: Amazon S3 API reference,
 * UploadPart and UploadPartCopy.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { ByteRange } from '@cumulet/storage/stores/byte-store';
import { Injectable } from '@nestjs/common';
import {
  checksumHeaders,
  checksumRequestOf,
  type ChecksumRequest,
} from '../content/checksums/checksum.js';
import { ContentReader } from '../content/content-reader.js';
import { ContentWriter } from '../content/content-writer.js';
import {
  copySourceKeyOf,
  encryptionHeaders,
  partEncryptionOf,
} from '../content/encryption/encryption.js';
import { partNumberOf } from '../content/part.entity.js';
import { PartRepository } from '../content/part.repository.js';
import type { Received, ReceiveOptions } from '../content/received.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { headerOf } from '../http/s3-request.js';
import { CopySources, requireCopyable } from '../object-operations/writing/copy-source.js';
import { versionHeader } from '../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../operations/operation.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { noSuchUpload, uploadNameOf, type Upload } from './upload.entity.js';
import { UploadRepository } from './upload.repository.js';

/** Makes a part of received bytes, or drops them. */
@Injectable()
export class PartWriter {
  constructor(
    private readonly content: ContentWriter,
    private readonly parts: PartRepository,
  ) {}

  /**
   * @returns when it was stored
   * @throws S3Error NoSuchUpload if the upload has been completed or aborted meanwhile; then nothing
   * of what was received is kept
   */
  async write(
    ctx: RequestContext,
    { id }: Upload,
    number: number,
    received: Received,
  ): Promise<Date> {
    try {
      if (received.dataId === null) return await this.#put(ctx, { id }, number, received);
      return await inTransaction(ctx, async (tx) => {
        await this.content.keep(tx, received);
        return this.#put(tx, { id }, number, received);
      });
    } catch (error) {
      await this.content.drop(ctx, received);
      throw error;
    }
  }

  async #put(
    ctx: RequestContext,
    { id }: Pick<Upload, 'id'>,
    number: number,
    { size, etag, checksum, crc64, encryption, dataId, inline }: Received,
  ): Promise<Date> {
    const part = { contentId: id, number, size, etag, checksum, crc64, encryption, dataId, inline };
    const storedAt = await this.parts.put(ctx, part);
    if (!storedAt) throw noSuchUpload(id);
    return storedAt;
  }
}

/**
 * The checksums of a part: by the upload's algorithm, whether or not the sender has computed one.
 * Without such an algorithm, the sender's and the one for the object's checksum. Public source:
 * Amazon S3 API reference, UploadPart. Pure.
 * @param asked of the request with the part
 */
function partChecksumsOf(
  { checksumAlgorithm: algorithm }: Upload,
  asked: ChecksumRequest | undefined,
): Pick<ReceiveOptions, 'checksum' | 'withCrc64'> {
  if (algorithm === null) return { checksum: asked, withCrc64: true };
  if (!asked) return { checksum: { algorithm } };
  if (asked.algorithm === algorithm) return { checksum: asked };
  throw new S3Error('InvalidRequest', {
    message: `Checksum Type mismatch occurred, expected checksum Type: ${algorithm.toLowerCase()}, actual checksum Type: ${asked.algorithm.toLowerCase()}`,
  });
}

/**
 * The range of the source that a part is copied from. Public source: Amazon S3 API reference,
 * UploadPartCopy. Pure.
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

@Handles('UploadPart')
export class UploadPart implements Operation<ObjectCall> {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly content: ContentWriter,
    private readonly writer: PartWriter,
    private readonly quotas: StorageQuotas,
  ) {}

  /** @throws S3Error NoSuchUpload, InvalidArgument, InvalidRequest, BadDigest, EntityTooLarge */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { ctx, request } = call;
    const { headers, query } = request;
    const number = partNumberOf(query.get('partNumber'));
    const name = uploadNameOf(call);
    const upload = await this.uploads.find(ctx, name);
    if (!upload) throw noSuchUpload(name.id);
    await this.quotas.admitBytes(ctx, call.bucket.projectId, call.body.length ?? 0);
    const received = await this.content.receive(ctx, call.body, {
      ...partChecksumsOf(upload, checksumRequestOf(headers)),
      contentMd5: headerOf(request, 'content-md5'),
      encryption: partEncryptionOf(headers, upload.encryption),
    });
    await this.writer.write(ctx, upload, number, received);
    return {
      headers: {
        etag: `"${received.etag}"`,
        ...checksumHeaders(received.checksum),
        ...encryptionHeaders(received.encryption),
      },
    };
  }
}

@Handles('UploadPartCopy')
export class UploadPartCopy implements Operation<ObjectCall> {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly sources: CopySources,
    private readonly stored: ContentReader,
    private readonly content: ContentWriter,
    private readonly writer: PartWriter,
    private readonly quotas: StorageQuotas,
  ) {}

  /**
   * @throws S3Error NoSuchUpload, NoSuchKey, NoSuchVersion, InvalidArgument, InvalidRange,
   * InvalidRequest, PreconditionFailed, AccessDenied
   */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { ctx, request } = call;
    const { headers } = request;
    const number = partNumberOf(request.query.get('partNumber'));
    const name = uploadNameOf(call);
    const upload = await this.uploads.find(ctx, name);
    if (!upload) throw noSuchUpload(name.id);
    const encryption = partEncryptionOf(headers, upload.encryption);
    const { bucket, object } = await this.sources.find(call);
    const range = copiedRangeOf(headerOf(request, 'x-amz-copy-source-range'), Number(object.size));
    if (!range) requireCopyable(object);
    const length = range ? range.last - range.first + 1 : Number(object.size);
    await this.quotas.admitBytes(ctx, call.bucket.projectId, length);
    const bytes = await this.stored.open(ctx, object, range, copySourceKeyOf(headers));
    const source = { length, open: () => bytes, trailers: () => ({}) };
    const received = await this.content.receive(ctx, source, {
      ...partChecksumsOf(upload, undefined),
      contentMd5: undefined,
      encryption,
    });
    const storedAt = await this.writer.write(ctx, upload, number, received);
    const { checksum } = received;
    const tree = {
      LastModified: storedAt,
      ETag: `"${received.etag}"`,
      ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value }),
    };
    const { 'x-amz-version-id': version } = versionHeader(object.versionId, bucket.versioning);
    return xmlAnswer('CopyPartResult', tree, {
      headers: {
        'x-amz-copy-source-version-id': version,
        ...encryptionHeaders(received.encryption),
      },
    });
  }
}
