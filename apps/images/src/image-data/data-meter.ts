/**
 * The stretch between a client's bytes and the store: counts and hashes what passes, and ends it
 * when it grows too large or comes to a halt.
 */
import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { UploadStalledError } from '../images/image.errors.js';
import type { StoredData } from './upload.repository.js';

export interface DataMeterOptions {
  /** Bytes that may pass. */
  readonly limit: number;
  /** What passing it ends with. */
  readonly overLimit: () => Error;
  /** Seconds without a byte after which the stream is ended. */
  readonly stallSeconds: number;
}

/** Bytes that may wait for the store. */
const WAITING = 512 * 1024;

export class DataMeter extends Transform {
  readonly #md5 = createHash('md5');
  readonly #sha512 = createHash('sha512');
  readonly #stall: NodeJS.Timeout;
  #size = 0;

  constructor(private readonly options: DataMeterOptions) {
    super({ highWaterMark: WAITING });
    const { stallSeconds } = options;
    // It may fail before the store listens, and the store then reads the reason from it.
    this.on('error', () => undefined);
    this.#stall = setTimeout(
      () => this.destroy(new UploadStalledError(stallSeconds)),
      stallSeconds * 1000,
    );
  }

  /** Bytes that have passed. */
  get size(): number {
    return this.#size;
  }

  /** Call it once, after the last byte. */
  measured(): StoredData {
    return {
      size: this.#size,
      md5: this.#md5.digest('hex'),
      sha512: this.#sha512.digest('hex'),
    };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#stall.refresh();
    this.#size += chunk.length;
    if (this.#size > this.options.limit) {
      done(this.options.overLimit());
      return;
    }
    this.#md5.update(chunk);
    this.#sha512.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    clearTimeout(this.#stall);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#stall);
    done(error);
  }
}
