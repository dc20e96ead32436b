/** Public source: Amazon S3 API reference, CopyObject. */
import { Access } from '../../access/access.js';
import { ownerOfNew } from '../../access/acl-request.js';
import { expirationHeaderOf } from '../../buckets/lifecycle-rules.js';
import {
  checksumChoiceOf,
  checksumElements,
  DEFAULT_ALGORITHM,
} from '../../content/checksums/checksum.js';
import { ContentReader } from '../../content/content-reader.js';
import { ContentWriter } from '../../content/content-writer.js';
import {
  copySourceKeyOf,
  encryptionHeaders,
  encryptionRequestOf,
  requireKey,
} from '../../content/encryption/encryption.js';
import type { Received } from '../../content/received.js';
import { xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { S3Error, invalidArgument } from '../../http/s3-error.js';
import { headerOf } from '../../http/s3-request.js';
import { writeConditionsOf } from '../../objects/conditions.js';
import { newVersionHeader, versionHeader } from '../../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../../operations/operation.js';
import { unlessVanished } from '../reading/object-reader.js';
import { CopySources, requireCopyable, type CopySource } from './copy-source.js';
import { propertiesOf } from './object-properties.js';
import type { ObjectProperties } from '../../objects/object.entity.js';
import { ObjectWriter } from './put-object.operation.js';

interface Taken {
  readonly source: CopySource;
  readonly properties: ObjectProperties;
  readonly received: Received;
}

@Handles('CopyObject')
export class CopyObject implements Operation<ObjectCall> {
  constructor(
    private readonly sources: CopySources,
    private readonly access: Access,
    private readonly stored: ContentReader,
    private readonly content: ContentWriter,
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

  /** The bytes pass through the service: they are hashed anew and encrypted under a key of their own. */
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
    const bytes = await this.stored.open(ctx, object, undefined, key);
    const source = { length: Number(object.size), open: () => bytes, trailers: () => ({}) };
    return this.content.receive(ctx, source, asked);
  }

  /** Copying tags requires permission to read them. */
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

/** The header that a copy does not take over. */
const NOT_COPIED = 'x-amz-website-redirect-location';

/**
 * The properties of a copy: those of its source, or those of the request.
 * @throws S3Error InvalidArgument, InvalidRequest, and those of `propertiesOf`
 */
function copiedProperties(call: ObjectCall, { object }: CopySource): ObjectProperties {
  const asked = propertiesOf(call);
  const { [NOT_COPIED]: _, ...headers } = object.headers;
  const redirect = asked.headers[NOT_COPIED];
  return {
    ...asked,
    ...(isReplaced(call, 'x-amz-metadata-directive')
      ? {}
      : {
          headers: { ...headers, ...(redirect === undefined ? {} : { [NOT_COPIED]: redirect }) },
          metadata: object.metadata,
        }),
    ...(areTagsReplaced(call) ? {} : { tags: object.tags }),
  };
}

function areTagsReplaced(call: ObjectCall): boolean {
  return isReplaced(call, 'x-amz-tagging-directive');
}

function isReplaced({ request }: ObjectCall, directive: string): boolean {
  const value = headerOf(request, directive) ?? 'COPY';
  if (value === 'COPY' || value === 'REPLACE') return value === 'REPLACE';
  throw invalidArgument(
    directive,
    value,
    `Unknown ${directive.includes('tagging') ? 'tagging' : 'metadata'} directive.`,
  );
}

/** Each of these headers makes a copy differ from its source. */
const CHANGES = [
  'x-amz-storage-class',
  NOT_COPIED,
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-customer-algorithm',
];

/** Methods that a copy does not take over. */
const ASKED_FOR = ['SSE-KMS', 'SSE-C'];

/** @throws S3Error InvalidRequest for a copy onto itself that would change nothing */
function requireChange(call: ObjectCall, { bucket, object, versionId }: CopySource): void {
  const isSame = bucket.id === call.bucket.id && object.key.equals(Buffer.from(call.key));
  if (!isSame || versionId !== undefined) return;
  if (isReplaced(call, 'x-amz-metadata-directive')) return;
  if (CHANGES.some((name) => call.request.headers[name] !== undefined)) return;
  if (ASKED_FOR.includes(object.encryption?.kind ?? '')) return;
  // As with Amazon, whatever the default was when the source was stored.
  if (call.bucket.configurations.encryption) return;
  throw new S3Error('InvalidRequest', {
    message:
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  });
}
