/**
 * What GET and HEAD have in common: all of an answer but the bytes. Public source: Amazon S3 API
 * reference, GetObject.
 */
import { DataMissingError } from '@cumulet/storage/stores/store.errors';
import { Injectable } from '@nestjs/common';
import type { Bucket } from '../../buckets/bucket.entity.js';
import { expirationHeaderOf } from '../../buckets/lifecycle-rules.js';
import { checksumHeaders } from '../../content/checksums/checksum.js';
import {
  encryptionHeaders,
  readKeyOf,
  requireKey,
  type CustomerKey,
} from '../../content/encryption/encryption.js';
import { S3Error } from '../../http/s3-error.js';
import { requireHeader } from '../../http/s3-request.js';
import { checkRead, readConditionsOf } from '../../objects/conditions.js';
import { requireObject, versionHeader, type FoundObject } from '../../objects/version-id.js';
import type { ObjectCall, S3Call } from '../../operations/operation.js';
import { lockHeaders } from '../locks/retention.js';
import { metadataHeaders } from '../writing/metadata.js';
import { shownStorageClass } from '../writing/object-properties.js';
import { Slices, type Headers, type Slice } from './slice.js';

export interface ObjectAnswer {
  readonly object: FoundObject;
  readonly slice: Slice;
  readonly headers: Headers;
  /** What the client has encrypted the object with, if it has. */
  readonly key: CustomerKey | undefined;
}

@Injectable()
export class ObjectReader {
  constructor(private readonly slices: Slices) {}

  /**
   * @throws S3Error NoSuchKey, NoSuchVersion, MethodNotAllowed, NotModified, PreconditionFailed,
   * InvalidRange, InvalidPart, InvalidRequest, InvalidArgument
   */
  async answer(call: ObjectCall): Promise<ObjectAnswer> {
    const { bucket, request } = call;
    const object = requireObject(call);
    const overrides = overridesOf(call);
    const key = readKeyOf(request.headers);
    checkRead(object, readConditionsOf(request.headers), validators(object, bucket));
    const slice = await this.slices.of(call, object);
    requireKey(object.encryption, key);
    const isChecked =
      request.headers['x-amz-checksum-mode']?.toString().toUpperCase() === 'ENABLED';
    const headers = {
      ...objectHeaders(object, bucket),
      ...(isChecked ? checksumHeaders(slice.checksum) : {}),
      ...overrides,
      ...slice.headers,
    };
    return { object, slice, headers, key };
  }
}

/** What tells whether a client has an object already: answers without it have these too. */
export function validators(object: FoundObject, { versioning }: Bucket): Record<string, string> {
  return {
    etag: `"${object.etag}"`,
    'last-modified': object.modifiedAt.toUTCString(),
    ...versionHeader(object.versionId, versioning),
  };
}

/** All but those that depend on which bytes are answered. */
export function objectHeaders(object: FoundObject, bucket: Bucket): Headers {
  const tags = Object.keys(object.tags).length;
  return {
    ...object.headers,
    ...metadataHeaders(object.metadata),
    ...validators(object, bucket),
    'accept-ranges': 'bytes',
    'x-amz-storage-class': shownStorageClass(object.storageClass),
    'x-amz-tagging-count': tags === 0 ? undefined : String(tags),
    'x-amz-expiration': object.isLatest ? expirationHeaderOf(bucket, object) : undefined,
    ...lockHeaders(object),
    ...encryptionHeaders(object.encryption),
  };
}

const OVERRIDES = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
] as const;

/**
 * Headers of an answer that its request asks to be others. Public source: Amazon S3 API reference,
 * GetObject, "Overriding response header values through the request".
 *
 * @throws S3Error InvalidRequest if nobody has signed for them, InvalidArgument for no header's value
 */
export function overridesOf({ request, caller }: S3Call): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const header of OVERRIDES) {
    const name = `response-${header}`;
    const value = request.query.get(name);
    if (value === undefined) continue;
    if (caller.kind === 'anonymous')
      throw new S3Error('InvalidRequest', {
        message: 'Request specific response headers cannot be used for anonymous GET requests.',
      });
    requireHeader(header, value, name);
    overrides[header] = value;
  }
  return overrides;
}

const MAX_ATTEMPTS = 3;

/**
 * Bytes that are overwritten between the reading of their row and their own: there are others then.
 *
 * @param work looks again for what there is, unless it is the first attempt: they count from 1
 */
export async function unlessVanished<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !hasVanished(error)) throw error;
    }
  }
}

function hasVanished(error: unknown): boolean {
  if (error instanceof DataMissingError) return true;
  return error instanceof S3Error && error.code === 'NoSuchKey';
}
