/**
 * The body of a request as its client meant it: without the framing and the signatures of chunks.
 *
 * Always holds: nobody reads a body to its end without an error whose signature, length or announced
 * SHA-256 is wrong.
 */
import type { Readable } from 'node:stream';

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
