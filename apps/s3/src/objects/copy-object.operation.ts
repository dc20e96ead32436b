/** Public source: Amazon S3 API reference, CopyObject. */
import { Injectable } from '@nestjs/common';
import { Access } from '../access/access.js';
import { ownerOfNew } from '../access/ownership.js';
import {
  checksumChoiceOf,
  checksumElements,
  DEFAULT_ALGORITHM,
} from '../content/checksums/checksum.js';
import { ContentService } from '../content/content.service.js';
import {
  copySourceKeyOf,
  encryptionHeaders,
  encryptionRequestOf,
  requireKey,
} from '../content/encryption/encryption.js';
import type { Received } from '../content/received.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { expirationHeaderOf } from '../lifecycle/expiration-header.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { areTagsReplaced, copiedProperties, requireChange } from './copy-properties.js';
import { CopySources, requireCopyable, type CopySource } from './copy-source.js';
import type { ObjectProperties } from './object-properties.js';
import { ObjectWriter } from './object-writer.js';
import { unlessVanished } from './vanished.js';
import { newVersionHeader, versionHeader } from './version-id.js';
import { writeConditionsOf } from './write-conditions.js';

interface Taken {
  readonly source: CopySource;
  readonly properties: ObjectProperties;
  readonly received: Received;
}

@Injectable()
@Handles('CopyObject')
export class CopyObject implements Operation<ObjectCall> {
  constructor(
    private readonly sources: CopySources,
    private readonly access: Access,
    private readonly content: ContentService,
    private readonly writer: ObjectWriter,
  ) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const { bucket, key, request, caller } = call;
    const conditions = writeConditionsOf(request.headers);
    const ownerId = ownerOfNew(bucket, caller, request.headers);
    const { source, properties, received } = await unlessVanished(() => this.#take(call));
    const stored = await this.writer.write(call, received, {
      key,
      ownerId,
      properties,
      conditions,
      createdBy: 'Copy',
    });
    const tree = {
      LastModified: stored.modifiedAt,
      ETag: `"${stored.etag}"`,
      ...checksumElements(stored.checksum),
    };
    return xmlAnswer('CopyObjectResult', tree, {
      headers: {
        ...newVersionHeader(stored.versionId),
        'x-amz-expiration': expirationHeaderOf(bucket, stored),
        'x-amz-copy-source-version-id': versionHeader(
          source.object.versionId,
          source.bucket.versioning,
        )['x-amz-version-id'],
        ...encryptionHeaders(stored.encryption),
      },
    });
  }

  async #take(call: ObjectCall): Promise<Taken> {
    const source = await this.sources.find(call);
    requireCopyable(source.object);
    requireChange(call, source);
    this.#requireTags(call, source);
    const properties = copiedProperties(call, source);
    return { source, properties, received: await this.#receive(call, source) };
  }

  /** The bytes go through: so what is stored is what was hashed, under keys of its own. */
  async #receive({ ctx, bucket, request }: ObjectCall, { object }: CopySource): Promise<Received> {
    const { headers } = request;
    const key = copySourceKeyOf(headers);
    requireKey(object.encryption, key);
    const algorithm =
      checksumChoiceOf(headers)?.algorithm ?? object.checksum?.algorithm ?? DEFAULT_ALGORITHM;
    const asked = {
      checksum: { algorithm },
      contentMd5: undefined,
      encryption: encryptionRequestOf(headers, bucket),
    };
    const bytes = await this.content.open(ctx, object, undefined, key);
    const source = { length: Number(object.size), open: () => bytes, trailers: () => ({}) };
    return this.content.receive(ctx, source, asked);
  }

  /** Who may not read the tags of a source may not copy them either. */
  #requireTags(call: ObjectCall, { bucket, object, versionId }: CopySource): void {
    if (areTagsReplaced(call) || Object.keys(object.tags).length === 0) return;
    const { caller, request } = call;
    const action = versionId === undefined ? 's3:GetObjectTagging' : 's3:GetObjectVersionTagging';
    const resource = { bucket, key: object.key.toString(), object, request };
    if (this.access.isAllowed(caller, action, resource)) return;
    throw new S3Error('AccessDenied', {
      message: `Access Denied: the tags of the source of the copy may not be read (${action}).`,
    });
  }
}
