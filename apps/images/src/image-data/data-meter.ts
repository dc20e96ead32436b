/**
 * Stands between a client and the store: counts and hashes the bytes that pass, and ends the stream
 * when it grows too large or stalls.
 */
import { HELD } from '../config.js';
import { Transform, type TransformCallback } from 'node:stream';
import { StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { DataHash } from '../hashing/data-hash.js';
import type { DataDigests } from '../hashing/hash-thread.js';
import { UploadStalledError } from '../images/image.errors.js';

/** What is known about data once all of it has passed. */
export interface Measured extends DataDigests {
  readonly size: number;
}

export interface DataMeterOptions {
  /** Bytes that may pass. */
  readonly limit: number;
  /** The error that ends a stream beyond it. */
  readonly overLimit: () => Error;
  /** Seconds without a byte after which the stream is ended. */
  readonly stallSeconds: number;
  /**
   * The error that ends it then, if no client sends the data; not called if the store is to blame.
   */
  readonly stalled?: () => Error;
  /** Sees every byte that passes, and keeps none of the chunks. */
  readonly observe?: (chunk: Buffer) => void;
}

/** Bytes that may wait for the store. */
const WAITING = 512 * 1024;

/** For data whose sender is watched elsewhere: if it stalls, the store is to blame. */
export function storeHangs(): Error {
  return new StoreUnavailableError(HELD, new Error('the store takes no data'));
}

export class DataMeter extends Transform {
  readonly #hash = new DataHash();
  #digests: DataDigests | undefined;
  readonly #stall: NodeJS.Timeout;
  #size = 0;

  constructor(private readonly options: DataMeterOptions) {
    super({ highWaterMark: WAITING });
    const { stallSeconds, stalled = () => new UploadStalledError(stallSeconds) } = options;
    // It may fail before the store listens, and the store then reads the reason from it.
    this.on('error', () => undefined);
    this.#stall = setTimeout(() => {
      // Bytes that nobody takes are waiting, so it is not the sender that has stalled.
      this.destroy(this.readableLength > 0 ? storeHangs() : stalled());
    }, stallSeconds * 1000);
  }

  /** Bytes that have passed. */
  get size(): number {
    return this.#size;
  }

  /** Call it after the stream has ended. */
  measured(): Measured {
    if (!this.#digests) throw new Error('the data has not come to its end');
    return { size: this.#size, ...this.#digests };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#stall.refresh();
    this.#size += chunk.length;
    if (this.#size > this.options.limit) {
      done(this.options.overLimit());
      return;
    }
    this.options.observe?.(chunk);
    this.#hash.update(chunk).then(() => done(null, chunk), done);
  }

  override _flush(done: TransformCallback): void {
    clearTimeout(this.#stall);
    this.#hash.digest().then((digests) => {
      this.#digests = digests;
      done();
    }, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#stall);
    this.#hash.end();
    done(error);
  }
}
