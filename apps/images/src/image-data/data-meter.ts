/** Counts and hashes bytes on their way to the store, within limits of size and time. */
import { STORED_KIND } from '../config.js';
import { Transform, type TransformCallback } from 'node:stream';
import { StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { DataHash } from '../hashing/data-hash.js';
import type { DataDigests } from '../hashing/hash-thread.js';
import { UploadStalledError } from '../images/image.errors.js';

export interface Measured extends DataDigests {
  readonly size: number;
}

export interface DataMeterOptions {
  /** Bytes. */
  readonly limit: number;
  /** Makes the error for a stream that exceeds the limit. */
  readonly overLimit: () => Error;
  /** Seconds without a byte after which the stream is ended. */
  readonly stallSeconds: number;
  /** The error for a stalled source other than a client; unused if the store is to blame. */
  readonly stalled?: () => Error;
  /** Receives every chunk, and must not keep it. */
  readonly observe?: (chunk: Buffer) => void;
}

/** Bytes buffered for the store. */
const WAITING = 512 * 1024;

/** For sources that are monitored elsewhere: if data stalls, the store is to blame. */
export function storeHangs(): Error {
  return new StoreUnavailableError(STORED_KIND, new Error('the store takes no data'));
}

export class DataMeter extends Transform {
  readonly #hash = new DataHash();
  #digests: DataDigests | undefined;
  readonly #stall: NodeJS.Timeout;
  #size = 0;

  constructor(private readonly options: DataMeterOptions) {
    super({ highWaterMark: WAITING });
    const { stallSeconds, stalled = () => new UploadStalledError(stallSeconds) } = options;
    // The meter may fail before the store listens, and the store then reads the reason from it.
    this.on('error', () => undefined);
    this.#stall = setTimeout(() => {
      // Buffered bytes mean that the store has stalled, not the sender.
      this.destroy(this.readableLength > 0 ? storeHangs() : stalled());
    }, stallSeconds * 1000);
  }

  get size(): number {
    return this.#size;
  }

  /** Available once the stream has ended. */
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
