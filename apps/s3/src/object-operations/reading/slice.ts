/** What of an object a request asks for: all of it, a range of its bytes, or one of its parts. */
import type { ByteRange } from '@cumulet/storage/stores/byte-store';
import { Injectable } from '@nestjs/common';
import type { StoredChecksum } from '../../content/checksums/checksum.js';
import { partNumberOf } from '../../content/part.entity.js';
import { PartRepository } from '../../content/part.repository.js';
import { S3Error } from '../../http/s3-error.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import { plainTag, secondsOf } from '../../objects/conditions.js';
import type { FoundObject } from '../../objects/version-id.js';
import type { ObjectCall } from '../../operations/operation.js';

export type Headers = Readonly<Record<string, string | undefined>>;

export interface Slice {
  /** Undefined for all bytes. */
  readonly range: ByteRange | undefined;
  readonly status: 200 | 206;
  /** Content-Length, and what says where the bytes are in the object. */
  readonly headers: Headers;
  /** Of exactly these bytes, as far as it is known. */
  readonly checksum: StoredChecksum | null;
}

@Injectable()
export class Slices {
  constructor(private readonly parts: PartRepository) {}

  /** @throws S3Error InvalidRange, InvalidPart, InvalidArgument, InvalidRequest */
  async of({ ctx, request }: ObjectCall, object: FoundObject): Promise<Slice> {
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

function partial(range: ByteRange, size: number): Omit<Slice, 'checksum'> {
  const { first, last } = range;
  // Of a part without bytes there is no range to tell.
  const headers = {
    'content-length': String(last - first + 1),
    'content-range': last < first ? undefined : `bytes ${first}-${last}/${size}`,
  };
  return { range, status: 206, headers };
}

/** What was put as a whole has one part. */
function wholeAsPart({ size, checksum }: FoundObject, number: number): Slice {
  if (number !== 1) throw noSuchPart(number);
  const bytes = Number(size);
  if (bytes === 0)
    return { range: undefined, status: 200, headers: { 'content-length': size }, checksum };
  return { ...partial({ first: 0, last: bytes - 1 }, bytes), checksum };
}

/** Whether a range is of what the client has some of already (RFC 9110, 13.1.5). */
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
 * Which bytes a request asks for. Public source: RFC 9110, 14.1.2 and 14.2. Pure.
 *
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
