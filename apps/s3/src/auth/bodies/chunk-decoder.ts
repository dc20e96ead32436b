/**
 * Takes the framing off a body in chunks (`Content-Encoding: aws-chunked`): each has a line with its
 * length and perhaps a signature; the last one is empty, and headers may follow it.
 *
 * Always holds: it ends without an error only after the last chunk, with as many bytes and with the
 * trailers that were announced, and where chunks are signed, each as it was signed. It keeps no bytes
 * of chunks.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { createHash, type Hash } from 'node:crypto';
import { S3Error } from '../../http/s3-error.js';
import { requireSame } from '../caller.js';
import { hmac, type Scope, scopeText } from '../signatures/v4.js';

export interface ChunkDecoderOptions {
  /** Bytes without framing. */
  readonly length: number;
  /** Absent where chunks are not signed. */
  readonly signatures?: ChunkSignatures | undefined;
  /** Lower-case names of the trailing headers; undefined without any. */
  readonly announced?: readonly string[] | undefined;
}

/** Read ahead, in bytes. */
const AHEAD_BYTES = 256 * 1024;
/** For a line of framing, and for all trailers together. */
const MAX_LINE_BYTES = 8_192;
const CHUNK = /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/;
const TRAILER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/;
const TRAILER_SIGNATURE = 'x-amz-trailer-signature';

type Place = 'line' | 'bytes' | 'end of chunk' | 'trailer' | 'end';

export class ChunkDecoder extends Transform {
  readonly #trailers: Record<string, string> = {};
  #place: Place = 'line';
  #line = '';
  #trailerBytes = 0;
  #trailerText = '';
  #trailerSignature: string | undefined;
  #left = 0;
  #seen = 0;
  #signature: string | undefined;

  constructor(private readonly options: ChunkDecoderOptions) {
    super({ highWaterMark: AHEAD_BYTES });
  }

  /** By lower-case name. */
  get trailers(): Readonly<Record<string, string>> {
    return this.#trailers;
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      for (let at = 0; at < bytes.length;)
        at += this.#place === 'bytes' ? this.#takeBytes(bytes, at) : this.#takeLine(bytes, at);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      // The last line may lack its line feed.
      if (this.#place === 'trailer' && this.#line !== '') this.#read(this.#line);
      if (this.#place === 'trailer') this.#endTrailers();
      if (this.#place !== 'end' || this.#seen !== this.options.length) throw incomplete();
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  #takeBytes(bytes: Buffer, at: number): number {
    const taken = bytes.subarray(at, at + this.#left);
    this.#left -= taken.length;
    this.#seen += taken.length;
    if (this.#seen > this.options.length) throw incomplete();
    this.options.signatures?.update(taken);
    this.push(taken);
    if (this.#left === 0) this.#place = 'end of chunk';
    return taken.length;
  }

  /** @returns how many bytes were taken; the line may go on in the next ones */
  #takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(0x0a, at);
    const piece = bytes.toString('latin1', at, end < 0 ? bytes.length : end);
    this.#line += piece;
    if (this.#line.length > MAX_LINE_BYTES) throw malformed('A line of its framing is too long.');
    // minio-go writes two empty lines after its trailers.
    if (this.#place === 'end' && this.#line.replace(/\r$/, '') !== '')
      throw malformed('Bytes follow the last chunk.');
    if (end < 0) return piece.length;
    const line = this.#line.replace(/\r$/, '');
    this.#line = '';
    this.#read(line);
    return piece.length + 1;
  }

  #read(line: string): void {
    if (this.#place === 'end of chunk') {
      if (line !== '') throw incomplete();
      this.#endChunk();
      this.#place = 'line';
    } else if (this.#place === 'line') this.#beginChunk(line);
    else if (this.#place === 'end') this.#countTrailer(1);
    else if (line !== '') this.#addTrailer(line);
    else if (!this.#isSignatureToCome()) this.#endTrailers();
  }

  #beginChunk(line: string): void {
    const [, length, signature] = CHUNK.exec(line) ?? [];
    if (
      length === undefined ||
      (signature === undefined) === (this.options.signatures !== undefined)
    )
      throw malformed('A chunk does not begin with its length and signature.');
    this.#signature = signature;
    this.#left = Number.parseInt(length, 16);
    this.#place = 'bytes';
    if (this.#left > 0) return;
    if (this.#seen !== this.options.length) throw incomplete();
    this.#endChunk();
    this.#place = 'trailer';
  }

  #endChunk(): void {
    if (this.#signature !== undefined) this.options.signatures?.endChunk(this.#signature);
  }

  #addTrailer(line: string): void {
    this.#countTrailer(line.length);
    const [, name, value = ''] = TRAILER.exec(line) ?? [];
    if (name === undefined) throw badTrailer('A line has no name, or no colon after its name.');
    const lower = name.toLowerCase();
    const { announced = [], signatures } = this.options;
    if (lower === TRAILER_SIGNATURE && signatures) {
      this.#trailerSignature = value.trim();
      return;
    }
    if (!announced.includes(lower)) throw badTrailer(`x-amz-trailer does not name ${lower}.`);
    if (this.#trailers[lower] !== undefined) throw badTrailer(`${lower} appears twice.`);
    this.#trailers[lower] = value.trim();
    this.#trailerText += `${lower}:${value.trim()}\n`;
  }

  #countTrailer(bytes: number): void {
    this.#trailerBytes += bytes;
    if (this.#trailerBytes > MAX_LINE_BYTES) throw badTrailer('The trailers do not end.');
  }

  /** Some clients write an empty line between the trailers and their signature. */
  #isSignatureToCome(): boolean {
    const { signatures, announced } = this.options;
    this.#countTrailer(1);
    return announced !== undefined && signatures !== undefined && !this.#trailerSignature;
  }

  #endTrailers(): void {
    const { signatures, announced } = this.options;
    const missing = announced?.find((name) => this.#trailers[name] === undefined);
    if (missing !== undefined)
      throw badTrailer(`The body ended without ${missing}, which x-amz-trailer names.`);
    if (announced !== undefined && signatures) {
      if (this.#trailerSignature === undefined)
        throw badTrailer('The trailing headers are not signed.');
      signatures.endTrailer(this.#trailerSignature, this.#trailerText);
    }
    this.#place = 'end';
  }
}

function incomplete(): S3Error {
  return new S3Error('IncompleteBody', {
    message: 'The request body terminated unexpectedly, or is not as long as it was announced.',
  });
}

function malformed(message: string): S3Error {
  return new S3Error('InvalidRequest', {
    message: `The chunks of the body are malformed. ${message}`,
  });
}

function badTrailer(message: string): S3Error {
  return new S3Error('MalformedTrailerError', {
    message: `The trailing headers are malformed. ${message}`,
  });
}

const EMPTY = createHash('sha256').digest('hex');

/**
 * Signatures of the chunks of a body, each over the one before. Public source: Amazon S3 API
 * reference, "Signature Calculations for the Authorization Header: Transferring Payload in Multiple
 * Chunks", and "… Including trailing headers".
 */
export class ChunkSignatures {
  #last: string;
  #hash: Hash = createHash('sha256');

  /** @param seed the signature of the request's headers */
  constructor(
    private readonly key: Buffer,
    private readonly scope: Scope,
    private readonly time: string,
    seed: string,
  ) {
    this.#last = seed;
  }

  update(bytes: Buffer): void {
    this.#hash.update(bytes);
  }

  /** @throws S3Error SignatureDoesNotMatch for other bytes than those that were signed */
  endChunk(signature: string): void {
    const hash = this.#hash.digest('hex');
    this.#hash = createHash('sha256');
    this.#require(signature, 'AWS4-HMAC-SHA256-PAYLOAD', [EMPTY, hash]);
  }

  /** @param trailer its lines, each as `name:value` with a line feed */
  endTrailer(signature: string, trailer: string): void {
    const hash = createHash('sha256').update(trailer).digest('hex');
    this.#require(signature, 'AWS4-HMAC-SHA256-TRAILER', [hash]);
  }

  #require(signature: string, kind: string, hashes: readonly string[]): void {
    const text = [kind, this.time, scopeText(this.scope), this.#last, ...hashes].join('\n');
    const own = hmac(this.key, text).toString('hex');
    requireSame(signature, own, { StringToSign: text });
    this.#last = own;
  }
}
