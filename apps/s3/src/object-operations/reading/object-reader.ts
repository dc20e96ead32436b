/**
 * The answer to GET and HEAD, without the bytes. Public source: Amazon S3 API
 * reference, GetObject.
 */
import type { ByteRange } from '@cumulet/storage/stores/byte-store';
import { DataMissingError } from '@cumulet/storage/stores/store.errors';
import { Injectable } from '@nestjs/common';
import type { Bucket } from '../../buckets/bucket.entity.js';
import { expirationHeaderOf } from '../../buckets/lifecycle-rules.js';
import { checksumHeaders, type StoredChecksum } from '../../content/checksums/checksum.js';
import {
  encryptionHeaders,
  readKeyOf,
  requireKey,
  type CustomerKey,
} from '../../content/encryption/encryption.js';
import { partNumberOf } from '../../content/part.entity.js';
import { PartRepository } from '../../content/part.repository.js';
import { S3Error } from '../../http/s3-error.js';
import { CONTENT_HEADERS, headerOf, requireHeader, type S3Request } from '../../http/s3-request.js';
import { checkRead, plainTag, readConditionsOf, secondsOf } from '../../objects/conditions.js';
import { requireObject, versionHeader, type FoundObject } from '../../objects/version-id.js';
import type { ObjectCall, S3Call } from '../../operations/operation.js';

import { lockHeaders, metadataHeaders, shownStorageClass } from '../writing/object-properties.js';

export interface ObjectAnswer {
  readonly object: FoundObject;
  readonly slice: Slice;
  readonly headers: Headers;
  /** The client's key of the object, if it has one. */
  readonly key: CustomerKey | undefined;
}

@Injectable()
export class ObjectReader {
  constructor(private readonly parts: PartRepository) {}

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
    const slice = await this.#slice(call, object);
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

  /** @throws S3Error InvalidRange, InvalidPart, InvalidArgument, InvalidRequest */
  async #slice({ ctx, request }: ObjectCall, object: FoundObject): Promise<Slice> {
    const size = Number(object.size);
    const part = request.query.get('partNumber');
    const header = headerOf(request, 'range');
    if (part !== undefined) {
      if (header !== undefined)
        throw new S3Error('InvalidRequest', {
          message: 'Cannot specify both Range header and partNumber query parameter',
        });
      const number = partNumberOf(part);
      return object.partCount === null
        ? wholeAsPart(object, number)
        : this.#part(ctx, object, number);
    }
    const range = isStillMeant(request, object) ? rangeOf(header, size) : undefined;
    if (range) return { ...partial(range, size), checksum: null };
    const headers = { 'content-length': object.size };
    return { range: undefined, status: 200, headers, checksum: object.checksum };
  }

  async #part(
    ctx: ObjectCall['ctx'],
    { contentId, size, partCount, checksum }: FoundObject,
    number: number,
  ): Promise<Slice> {
    const range = await this.parts.rangeOf(ctx, contentId, number);
    const [part] = await this.parts.list(ctx, contentId, number - 1, 1);
    if (!range || !part) throw noSuchPart(number);
    const { headers, ...slice } = partial(range, Number(size));
    return {
      ...slice,
      headers: { ...headers, 'x-amz-mp-parts-count': String(partCount) },
      checksum: part.checksum && { ...part.checksum, type: checksum?.type ?? part.checksum.type },
    };
  }
}

/** Validators, which `304 Not Modified` has too. */
function validators(object: FoundObject, { versioning }: Bucket): Record<string, string> {
  return {
    etag: `"${object.etag}"`,
    'last-modified': object.modifiedAt.toUTCString(),
    ...versionHeader(object.versionId, versioning),
  };
}

/** All headers but those that depend on the range. */
function objectHeaders(object: FoundObject, bucket: Bucket): Headers {
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

/**
 * Headers of an answer that its request asks to be others. Public source: Amazon S3 API reference,
 * GetObject, "Overriding response header values through the request".
 * @throws S3Error InvalidRequest if nobody has signed for them, InvalidArgument for no header's value
 */
function overridesOf({ request, caller }: S3Call): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const header of CONTENT_HEADERS) {
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

export type Headers = Readonly<Record<string, string | undefined>>;

/** The requested part of an object: all of it, a range, or one of its parts. */
export interface Slice {
  /** Undefined for all bytes. */
  readonly range: ByteRange | undefined;
  readonly status: 200 | 206;
  /** Content-Length, and Content-Range for a part. */
  readonly headers: Headers;
  /** The checksum of exactly these bytes, if known. */
  readonly checksum: StoredChecksum | null;
}

function partial(range: ByteRange, size: number): Omit<Slice, 'checksum'> {
  const { first, last } = range;
  // An empty part has no range.
  const headers = {
    'content-length': String(last - first + 1),
    'content-range': last < first ? undefined : `bytes ${first}-${last}/${size}`,
  };
  return { range, status: 206, headers };
}

/** An object without parts counts as one part. */
function wholeAsPart({ size, checksum }: FoundObject, number: number): Slice {
  if (number !== 1) throw noSuchPart(number);
  const bytes = Number(size);
  if (bytes === 0)
    return { range: undefined, status: 200, headers: { 'content-length': size }, checksum };
  return { ...partial({ first: 0, last: bytes - 1 }, bytes), checksum };
}

/** If-Range (RFC 9110, 13.1.5). */
function isStillMeant(request: S3Request, { etag, modifiedAt }: FoundObject): boolean {
  const condition = headerOf(request, 'if-range');
  if (condition === undefined || plainTag(condition) === etag) return true;
  return secondsOf(condition) === Math.floor(modifiedAt.getTime() / 1000);
}

function noSuchPart(number: number): S3Error {
  return new S3Error('InvalidPart', {
    message: 'The object has no such part.',
    details: { PartNumber: number },
  });
}

/**
 * The range of a request. Public source: RFC 9110, 14.1.2 and 14.2. Pure.
 * @param header as it came; what is no range of bytes, or names several, asks for all of them
 * @param size of the object in bytes
 * @returns undefined for all of them
 * @throws S3Error InvalidRange, with what the object has
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/.exec(header ?? '') ?? [];
  if (header === undefined || from === undefined || to === undefined) return undefined;
  if (from === '') return to === '' ? undefined : suffixOf(header, Number(to), size);
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) throw unsatisfiable(header, size);
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

function suffixOf(header: string, length: number, size: number): ByteRange {
  if (length === 0 || size === 0) throw unsatisfiable(header, size);
  return { first: Math.max(0, size - length), last: size - 1 };
}

function unsatisfiable(header: string, size: number): S3Error {
  return new S3Error('InvalidRange', {
    details: { RangeRequested: header, ActualObjectSize: size },
    headers: { 'content-range': `bytes */${size}` },
  });
}
