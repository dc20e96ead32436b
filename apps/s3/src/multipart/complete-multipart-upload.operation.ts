/**
 * Makes an object of an upload. Public source: Amazon S3 API reference, CompleteMultipartUpload.
 *
 * Always holds: of several who complete an upload, one does, and all of them get the same answer, as
 * long as its object is there.
 */
import { createHash } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import type { Bucket } from '../buckets/bucket.entity.js';
import {
  checksumElements,
  DEFAULT_ALGORITHM,
  type ChecksumAlgorithm,
  type StoredChecksum,
} from '../content/checksums/checksum.js';
import { checksumOfParts } from '../content/checksums/multipart-checksum.js';
import { encryptionHeaders } from '../content/encryption/encryption.js';
import type { Part } from '../content/part.entity.js';
import { PartRepository } from '../content/part.repository.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import { repeated, ObjectRepository } from '../objects/object.repository.js';
import { writeConditionsOf, type WriteConditions } from '../objects/conditions.js';
import { type NewObject, newVersionHeader } from '../objects/version-id.js';
import { ObjectVersions } from '../objects/object-versions.js';
import type { StoredObject } from '../objects/object.entity.js';
import { Handles, type ObjectCall, type Operation } from '../operations/operation.js';
import { documentOf } from '../operations/read-document.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import {
  expectationOf,
  listedPartsOf,
  requireExpected,
  type ExpectedObject,
  type ListedPart,
} from './complete-request.js';
import { noSuchUpload, uploadNameOf, type UploadName, type Upload } from './upload.entity.js';
import { UploadRepository } from './upload.repository.js';

export interface AskedCompletion {
  readonly listed: readonly ListedPart[];
  readonly expected: ExpectedObject;
  readonly conditions: WriteConditions;
}

/** Makes an object of an upload, in one transaction. */
@Injectable()
export class UploadCompletion {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly parts: PartRepository,
    private readonly objects: ObjectRepository,
    private readonly versions: ObjectVersions,
    private readonly quotas: StorageQuotas,
  ) {}

  /**
   * @returns the object, also if the upload has become it before
   * @throws S3Error NoSuchUpload, InvalidPart, EntityTooSmall, BadDigest, InvalidRequest, and those of
   * `ObjectVersions.publish` and of `StorageQuotas.within`; then the upload goes on
   */
  async complete(
    ctx: RequestContext,
    bucket: Bucket,
    name: UploadName,
    asked: AskedCompletion,
  ): Promise<StoredObject> {
    const added = { objects: 1, bytes: await this.parts.sizeOf(ctx, name.id) };
    return this.quotas.within(ctx, bucket.projectId, added, (within) =>
      repeated(within, () =>
        inTransaction(within, async (tx) => {
          const upload = await this.uploads.findLocked(tx, name);
          return upload
            ? this.#publish(tx, bucket, upload, asked)
            : this.#completed(tx, name, asked.listed);
        }),
      ),
    );
  }

  async #publish(
    tx: RequestContext,
    bucket: Bucket,
    upload: Upload,
    { listed, expected, conditions }: AskedCompletion,
  ): Promise<StoredObject> {
    const chosen = chosenParts(upload.id, listed, await this.parts.all(tx, upload.id));
    const checksum = await checksumOf(upload, chosen);
    requireExpected(expected, upload, { size: chosen.size, checksum });
    await this.parts.delete(tx, upload.id, chosen.others);
    const object = objectOf(upload, chosen, checksum);
    const stored = await this.versions.publish(tx, bucket, object, conditions);
    const { id, bucketId } = upload;
    await this.uploads.delete(tx, { id, bucketId, key: object.key });
    return stored;
  }

  /** A client that lost the answer asks again. */
  async #completed(
    tx: RequestContext,
    { bucketId, key, id }: UploadName,
    listed: readonly ListedPart[],
  ): Promise<StoredObject> {
    const object = await this.objects.findByContent(tx, id);
    if (object?.bucketId !== bucketId || object.key.toString() !== key) throw noSuchUpload(id);
    if (object.etag !== tagOf(listed)) throw noSuchUpload(id);
    return object;
  }
}

function checksumOf(
  { checksumAlgorithm: algorithm, checksumType: type }: Upload,
  { parts }: ChosenParts,
): Promise<StoredChecksum> {
  const asked = algorithm !== null && type !== null;
  const choice = asked
    ? { algorithm, type }
    : ({ algorithm: DEFAULT_ALGORITHM, type: 'FULL_OBJECT' } as const);
  const sums = parts.map(({ checksum, crc64, size }) => ({
    value: (asked ? checksum?.value : crc64) ?? '',
    size: Number(size),
  }));
  return checksumOfParts(choice, sums);
}

function objectOf(
  upload: Upload,
  { size, etag, parts }: ChosenParts,
  checksum: StoredChecksum,
): NewObject {
  const { id, encryption, ownerId } = upload;
  const { headers, metadata, tags, acl, storageClass } = upload;
  const { retentionMode, retainUntil, legalHold, legalHoldTold } = upload;
  const bytes = { contentId: id, size, etag, dataId: null, inline: null };
  return {
    key: upload.key.toString(),
    ownerId,
    headers,
    metadata,
    tags,
    acl,
    storageClass,
    retentionMode,
    retainUntil,
    legalHold,
    legalHoldTold,
    content: { ...bytes, partCount: parts.length, checksum, encryption },
  };
}

/** Bytes; enough for 10,000 parts with all their fields. */
const MAX_DOCUMENT = 8 * 1024 * 1024;

@Handles('CompleteMultipartUpload')
export class CompleteMultipartUpload implements Operation<ObjectCall> {
  constructor(private readonly completion: UploadCompletion) {}

  /**
   * @throws S3Error NoSuchUpload, MalformedXML, InvalidPart, InvalidPartOrder, EntityTooSmall,
   * BadDigest, InvalidRequest, PreconditionFailed
   */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { bucket, key, request } = call;
    const name = uploadNameOf(call);
    const asked = {
      listed: listedPartsOf((await documentOf(call, MAX_DOCUMENT, {})).toString()),
      expected: expectationOf(request.headers),
      conditions: writeConditionsOf(request.headers),
    };
    const { etag, checksum, encryption, versionId } = await this.completion.complete(
      call.ctx,
      bucket,
      name,
      asked,
    );
    const tree = {
      Location: locationOf(request),
      Bucket: bucket.name,
      Key: key,
      ETag: `"${etag}"`,
      ...checksumElements(checksum),
    };
    return xmlAnswer('CompleteMultipartUploadResult', tree, {
      headers: { ...newVersionHeader(versionId), ...encryptionHeaders(encryption) },
    });
  }
}

function locationOf({ isEncrypted, host, rawPath }: S3Request): string {
  return `${isEncrypted ? 'https' : 'http'}://${host}${rawPath}`;
}

/** Bytes of a part that is not the last. */
const MIN_PART_SIZE = 5 * 1024 * 1024;

/**
 * The parts of an object, as the client lists them. Public source: Amazon S3
 * API reference, CompleteMultipartUpload; Amazon S3 user guide, "Checking object integrity". Pure.
 */
export interface ChosenParts {
  readonly parts: readonly Part[];
  /** Numbers of parts that the object leaves out. */
  readonly others: readonly number[];
  /** Bytes. */
  readonly size: number;
  /** The MD5 of the MD5s of the parts, `-` and their number; without quotes. */
  readonly etag: string;
}

/**
 * @param stored all parts of the upload
 * @throws S3Error InvalidPart for one that is not there, or is another; EntityTooSmall
 */
export function chosenParts(
  uploadId: string,
  listed: readonly ListedPart[],
  stored: readonly Part[],
): ChosenParts {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const parts = listed.map((one) => {
    const part = byNumber.get(one.number);
    if (!part || !isSame(part, one)) throw invalidPart(uploadId, one);
    byNumber.delete(one.number);
    return part;
  });
  const small = parts.slice(0, -1).find(({ size }) => Number(size) < MIN_PART_SIZE);
  if (small) throw tooSmall(small);
  return {
    parts,
    others: [...byNumber.keys()],
    size: parts.reduce((sum, { size }) => sum + Number(size), 0),
    etag: tagOf(parts),
  };
}

/** A checksum that the part was not stored with cannot be compared. */
function isSame({ etag, checksum, crc64 }: Part, listed: ListedPart): boolean {
  const sumOf = (algorithm: ChecksumAlgorithm): string | null => {
    if (checksum?.algorithm === algorithm) return checksum.value;
    return algorithm === 'CRC64NVME' ? crc64 : null;
  };
  const isSameSum = ([algorithm, value]: ListedPart['checksums'][number]): boolean =>
    (sumOf(algorithm) ?? value) === value;
  return etag === listed.etag && listed.checksums.every(isSameSum);
}

function tagOf(parts: readonly Pick<Part, 'etag'>[]): string {
  const hash = createHash('md5');
  for (const { etag } of parts) hash.update(etag, 'hex');
  return `${hash.digest('hex')}-${parts.length}`;
}

function invalidPart(uploadId: string, { number, etag }: ListedPart): S3Error {
  return new S3Error('InvalidPart', {
    details: { UploadId: uploadId, PartNumber: number, ETag: etag },
  });
}

function tooSmall({ number, size, etag }: Part): S3Error {
  return new S3Error('EntityTooSmall', {
    message: `Part ${number} has ${size} bytes: each part but the last must have at least ${MIN_PART_SIZE}.`,
    details: { ProposedSize: size, MinSizeAllowed: MIN_PART_SIZE, PartNumber: number, ETag: etag },
  });
}
