/**
 * The body of a request as its client meant it: without the framing and the signatures of chunks.
 *
 * Always holds: nobody reads a body to its end without an error whose signature, length or announced
 * SHA-256 is wrong.
 */
import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { S3Error } from '../../http/s3-error.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import type { ChunkSignatures } from '../signatures/v4-chunks.js';
import { ChunkDecoder } from './chunk-decoder.js';
import { whole } from './whole.js';

export interface RequestBody {
  /** Bytes without framing; undefined if the client has not announced them. */
  readonly length: number | undefined;
  /**
   * The bytes, once. It fails with an S3Error: IncompleteBody, SignatureDoesNotMatch,
   * XAmzContentSHA256Mismatch, RequestTimeout.
   */
  open(): Readable;
  /** The headers behind the body, by lower-case name, once it has been read to its end. */
  trailers(): Readonly<Record<string, string>>;
}

const STREAMING = 'STREAMING-';
const CHUNKED = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { isSigned: true, hasTrailer: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { isSigned: true, hasTrailer: true },
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { isSigned: false, hasTrailer: true },
} as const;
const HASH = /^[0-9a-f]{64}$/i;

export interface BodyOptions {
  /** `x-amz-content-sha256`; undefined where there is none. */
  readonly payload: string | undefined;
  /** Of chunks, where a request has signed them. */
  readonly signatures?: () => ChunkSignatures;
  /** Milliseconds that the client may send nothing. */
  readonly stallMs: number;
}

/**
 * The body of a request, by what its signature says of it.
 *
 * @throws S3Error InvalidArgument, MissingContentLength, NotImplemented
 */
export function bodyOf(request: S3Request, options: BodyOptions): RequestBody {
  const { payload, stallMs } = options;
  if (payload?.startsWith(STREAMING)) return chunkedBody(request, payload, options);
  const length = lengthIn(request, 'content-length');
  const open = (): Readable => whole(request.raw, stallMs);
  const plain = { length: length ?? noLength(request), trailers: () => ({}) };
  if (payload === undefined || payload === 'UNSIGNED-PAYLOAD') return { ...plain, open };
  if (!HASH.test(payload))
    throw new S3Error('InvalidArgument', {
      message:
        'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, or a valid sha256 value.',
    });
  return { ...plain, open: () => through(open(), new HashCheck(payload.toLowerCase())) };
}

function chunkedBody(
  request: S3Request,
  payload: string,
  { signatures, stallMs }: BodyOptions,
): RequestBody {
  if (!Object.hasOwn(CHUNKED, payload))
    throw new S3Error('NotImplemented', { message: `The payload ${payload} is not implemented.` });
  const { isSigned, hasTrailer } = CHUNKED[payload as keyof typeof CHUNKED];
  const length = lengthIn(request, 'x-amz-decoded-content-length');
  if (length === undefined)
    throw new S3Error('MissingContentLength', {
      message: 'You must provide the x-amz-decoded-content-length header.',
    });
  const own = isSigned ? signatures?.() : undefined;
  if (isSigned && !own)
    throw new S3Error('InvalidRequest', { message: 'Chunks are signed, the request is not.' });
  const announced = hasTrailer ? announcedIn(request) : undefined;
  const decoder = new ChunkDecoder({ length, signatures: own, announced });
  return {
    length,
    open: () => through(whole(request.raw, stallMs), decoder),
    trailers: () => decoder.trailers,
  };
}

/** Names of the headers that are to come behind the body, in lower case. */
function announcedIn({ headers }: S3Request): string[] {
  const text = [headers['x-amz-trailer'] ?? []].flat().join(',');
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  return [...new Set(names)].filter((name) => name !== '');
}

/** A request without either header has no body (RFC 9112, 6.3). */
function noLength({ headers }: S3Request): number | undefined {
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}

function lengthIn(request: S3Request, name: string): number | undefined {
  const text = headerOf(request, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new S3Error('InvalidArgument', { message: `${name} must be a number of bytes.` });
}

/** What fails in one fails in the other. */
function through(source: Readable, check: ChunkDecoder | HashCheck): Readable {
  pipeline(source, check, () => undefined);
  return check;
}

/** Taken ahead of whoever reads them. */
const AHEAD_BYTES = 256 * 1024;

/** Lets bytes pass, and fails at their end unless they have the SHA-256 that was signed. */
export class HashCheck extends Transform {
  readonly #hash = createHash('sha256');

  /** @param expected in hexadecimal digits */
  constructor(private readonly expected: string) {
    super({ highWaterMark: AHEAD_BYTES });
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(bytes);
    done(null, bytes);
  }

  override _flush(done: TransformCallback): void {
    const computed = this.#hash.digest('hex');
    if (computed === this.expected) done();
    else
      done(
        new S3Error('XAmzContentSHA256Mismatch', {
          details: {
            ClientComputedContentSHA256: this.expected,
            S3ComputedContentSHA256: computed,
          },
        }),
      );
  }
}
