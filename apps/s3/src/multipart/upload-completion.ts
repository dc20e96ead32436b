/** Makes an object of an upload, in one transaction. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Bucket } from '../buckets/bucket.entity.js';
import { checksumOfParts } from '../content/checksums/multipart-checksum.js';
import { DEFAULT_ALGORITHM, type StoredChecksum } from '../content/checksums/checksum.js';
import { repeated } from '../objects/collisions.js';
import type { StoredObject } from '../objects/object.entity.js';
import { ObjectRepository } from '../objects/object.repository.js';
import type { NewObject } from '../objects/new-version.js';
import { ObjectVersions } from '../objects/object-versions.js';
import type { WriteConditions } from '../objects/write-conditions.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { chosenParts, tagOf, type ChosenParts } from './chosen-parts.js';
import type { ListedPart } from './complete-request.js';
import { requireExpected, type ExpectedObject } from './expected-object.js';
import { PartRepository } from './part.repository.js';
import { noSuchUpload } from './upload-id.js';
import type { Upload } from './upload.entity.js';
import type { UploadName } from './upload-name.js';
import { UploadRepository } from './upload.repository.js';

export interface AskedCompletion {
  readonly listed: readonly ListedPart[];
  readonly expected: ExpectedObject;
  readonly conditions: WriteConditions;
}

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

  /** Somebody who has not heard the answer asks again. */
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
