/** Public source: Amazon S3 API reference, PutObject and "POST Object". */
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import { ownerOfNew } from '../../access/acl-request.js';
import { expirationHeaderOf } from '../../buckets/lifecycle-rules.js';
import {
  checksumHeaders,
  checksumRequestOf,
  DEFAULT_ALGORITHM,
} from '../../content/checksums/checksum.js';
import { ContentWriter } from '../../content/content-writer.js';
import { encryptionHeaders, encryptionRequestOf } from '../../content/encryption/encryption.js';
import type { Received } from '../../content/received.js';
import type { S3Answer } from '../../http/s3-answer.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import { repeated } from '../../objects/object.repository.js';
import { writeConditionsOf, type WriteConditions } from '../../objects/conditions.js';
import { ObjectVersions } from '../../objects/object-versions.js';
import type { ObjectProperties, StoredObject } from '../../objects/object.entity.js';
import { newVersionHeader } from '../../objects/version-id.js';
import {
  Handles,
  type BucketCall,
  type ObjectCall,
  type Operation,
} from '../../operations/operation.js';
import { StorageQuotas } from '../../usage/storage-quotas.js';
import { propertiesOf } from './object-properties.js';
import type { FormFile } from '../../auth/post/form-reader.js';
import type { FormFields } from '../../auth/post/post-policy.js';
import { writeXml } from '../../http/xml.js';

export interface WrittenObject {
  readonly key: string;
  /** The project that owns it. */
  readonly ownerId: string;
  readonly properties: ObjectProperties;
  readonly conditions: WriteConditions;
  readonly createdBy: 'Put' | 'Post' | 'Copy';
}

/** Makes an object of received bytes, or drops them. */
@Injectable()
export class ObjectWriter {
  constructor(
    private readonly content: ContentWriter,
    private readonly versions: ObjectVersions,
    private readonly quotas: StorageQuotas,
  ) {}

  /**
   * @throws S3Error as `ObjectVersions.publish` does, and as `StorageQuotas.within`; then nothing of
   * what was received is kept
   */
  async write(
    { ctx, bucket }: Pick<BucketCall, 'ctx' | 'bucket'>,
    received: Received,
    { key, ownerId, properties, conditions, createdBy }: WrittenObject,
  ): Promise<StoredObject> {
    const content = { ...received, partCount: null };
    const object = { ...properties, key, ownerId, content, createdBy };
    const added = { objects: 1, bytes: received.size };
    try {
      return await this.quotas.within(ctx, bucket.projectId, added, (within) => {
        if (received.dataId === null)
          return this.versions.publish(within, bucket, object, conditions);
        return repeated(within, () =>
          inTransaction(within, async (tx) => {
            await this.content.keep(tx, received);
            return this.versions.publish(tx, bucket, object, conditions);
          }),
        );
      });
    } catch (error) {
      await this.content.drop(ctx, received);
      throw error;
    }
  }
}

@Handles('PutObject')
export class PutObject implements Operation<ObjectCall> {
  constructor(
    private readonly content: ContentWriter,
    private readonly versions: ObjectVersions,
    private readonly writer: ObjectWriter,
    private readonly quotas: StorageQuotas,
  ) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const { ctx, bucket, key, request, caller } = call;
    const { headers } = request;
    const ownerId = ownerOfNew(bucket, caller, headers);
    const properties = propertiesOf(call);
    const conditions = writeConditionsOf(headers);
    const asked = {
      checksum: checksumRequestOf(headers) ?? { algorithm: DEFAULT_ALGORITHM },
      contentMd5: headerOf(request, 'content-md5'),
      encryption: encryptionRequestOf(headers, bucket),
    };
    await this.versions.check(ctx, bucket, key, conditions);
    await this.quotas.admitBytes(ctx, bucket.projectId, call.body.length ?? 0);
    const received = await this.content.receive(ctx, call.body, asked);
    const stored = await this.writer.write(call, received, {
      key,
      ownerId,
      properties,
      conditions,
      createdBy: call.operation.name === 'PostObject' ? 'Post' : 'Put',
    });
    return {
      headers: {
        etag: `"${stored.etag}"`,
        ...newVersionHeader(stored.versionId),
        'x-amz-expiration': expirationHeaderOf(bucket, stored),
        ...checksumHeaders(stored.checksum),
        ...encryptionHeaders(stored.encryption),
      },
    };
  }
}

@Handles('PostObject')
export class PostObject implements Operation<ObjectCall> {
  constructor(private readonly put: PutObject) {}

  /** @throws S3Error as PutObject does; EntityTooSmall and EntityTooLarge for what the policy says */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { headers = {} } = await this.put.run(call);
    return postAnswer(call, (call.body as FormFile).fields, headers);
  }
}

type Stored = Pick<ObjectCall, 'request' | 'bucket' | 'key'>;

/**
 * The answer to a form, as it asks for it. Public source: Amazon S3 API reference, "POST
 * Object". Pure.
 * @param stored headers of what has been stored: `etag` and more
 */
export function postAnswer(
  { request, bucket, key }: Stored,
  fields: FormFields,
  stored: NonNullable<S3Answer['headers']>,
): S3Answer {
  const { etag = '' } = stored;
  const redirect = redirectOf(fields, { bucket: bucket.name, key, etag });
  if (redirect !== undefined) return { status: 303, headers: { ...stored, location: redirect } };
  const location = locationOf(request, key);
  const headers = { ...stored, location };
  switch (fields.get('success_action_status')) {
    case '200':
      return { status: 200, headers };
    case '201': {
      const tree = { Location: location, Bucket: bucket.name, Key: key, ETag: etag };
      return {
        status: 201,
        headers: { ...headers, 'content-type': 'application/xml' },
        body: writeXml('PostResponse', tree, ''),
      };
    }
    default:
      return { status: 204, headers };
  }
}

/** @returns undefined without a valid URL */
function redirectOf(fields: FormFields, object: Record<string, string>): string | undefined {
  const given = fields.get('success_action_redirect') ?? fields.get('redirect');
  if (given === undefined || !URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (!['http:', 'https:'].includes(url.protocol)) return undefined;
  for (const [name, value] of Object.entries(object)) url.searchParams.append(name, value);
  return url.href;
}

function locationOf({ isEncrypted, host, rawPath }: S3Request, key: string): string {
  const bucket = rawPath.endsWith('/') ? rawPath : `${rawPath}/`;
  const path = encodeURIComponent(key).replaceAll('%2F', '/');
  return `${isEncrypted ? 'https' : 'http'}://${host}${bucket}${path}`;
}
