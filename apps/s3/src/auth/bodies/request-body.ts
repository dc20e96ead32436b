/**
 * The body of a request as its client meant it: without the framing and the signatures of chunks.
 *
 * Always holds: nobody reads a body to its end without an error whose signature, length or announced
 * SHA-256 is wrong.
 */
import { createHash } from 'node:crypto';
import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { S3Error } from '../../http/s3-error.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import { type ChunkSignatures, ChunkDecoder } from './chunk-decoder.js';

export interface RequestBody {
  /** Bytes without framing; undefined if the client has not announced them. */
  readonly length: number | undefined;
  /**
   * The bytes, once. It fails with an S3Error: IncompleteBody, SignatureDoesNotMatch,
   * XAmzContentSHA256Mismatch, RequestTimeout.
   */
  open(): Readable;
  /** Trailing headers by lower-case name, once the body has been read to its end. */
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
  /** `x-amz-content-sha256`; undefined without it. */
  readonly payload: string | undefined;
  /** Of chunks, where a request has signed them. */
  readonly signatures?: () => ChunkSignatures;
  /** Milliseconds that the client may send nothing. */
  readonly stallMs: number;
}

/**
 * The body of a request, as its signature describes it.
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
    throw new S3Error('InvalidRequest', {
      message: 'The chunks are signed, but the request is not.',
    });
  const announced = hasTrailer ? announcedIn(request) : undefined;
  const decoder = new ChunkDecoder({ length, signatures: own, announced });
  return {
    length,
    open: () => through(whole(request.raw, stallMs), decoder),
    trailers: () => decoder.trailers,
  };
}

/** Lower-case names of the trailing headers. */
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

function through(source: Readable, check: ChunkDecoder | HashCheck): Readable {
  pipeline(source, check, () => undefined);
  return check;
}

/** Read ahead, in bytes. */
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

/**
 * A request's own stream, which fails if its client disconnects or stalls before the end.
 *
 * Always holds: the stall timeout only runs while bytes are wanted, not while they wait to be read.
 * Ending a read does not destroy the request, because the answer must still be written on its
 * connection.
 */
export function whole(request: IncomingMessage, stallMs: number): Readable {
  return new WholeBody(request, stallMs);
}

class WholeBody extends Readable {
  readonly #request: IncomingMessage;
  readonly #silence: NodeJS.Timeout;
  #isWanted = false;

  constructor(request: IncomingMessage, stallMs: number) {
    super({ highWaterMark: AHEAD_BYTES });
    this.#request = request;
    this.#silence = setTimeout(() => this.#endSilence(stallMs), stallMs).unref();
    if (request.destroyed && !request.readableEnded) {
      this.#breakOff(request.errored);
      return;
    }
    request.on('data', this.#take).pause();
    request.once('end', this.#end);
    request.once('error', this.#breakOff);
    request.once('close', this.#breakOff);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#silence.refresh();
    this.#request.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#silence);
    // A later error must not bring down the process.
    this.#request.off('data', this.#take).off('end', this.#end).off('close', this.#breakOff);
    done(error);
  }

  #take = (bytes: Buffer): void => {
    this.#silence.refresh();
    if (this.push(bytes)) return;
    this.#isWanted = false;
    this.#request.pause();
  };

  #end = (): void => {
    this.#isWanted = false;
    this.push(null);
  };

  #breakOff = (cause?: unknown): void => {
    if (!this.#request.readableEnded) this.destroy(new S3Error('IncompleteBody', { cause }));
  };

  #endSilence(stallMs: number): void {
    // Reading on restarts the timer.
    if (!this.#isWanted) return;
    this.destroy(
      new S3Error('RequestTimeout', {
        message: `Your socket connection to the server was not read from or written to within the timeout period: no data arrived for ${stallMs / 1_000} seconds.`,
      }),
    );
  }
}
