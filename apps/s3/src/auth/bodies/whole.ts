/**
 * A request's own stream, which fails where its client goes away or falls silent before the end.
 *
 * Always holds: a client is waited for only while its bytes are wanted: one whose bytes lie unread
 * has not fallen silent. The request is not destroyed by whoever stops reading, as the answer still
 * has to be written on its connection.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { S3Error } from '../../http/s3-error.js';

/** Read ahead of whoever takes them. */
const AHEAD_BYTES = 256 * 1024;

/** @param stallMs milliseconds that a client may send nothing */
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
    // What it fails with later is of no interest, and must not bring down the process.
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
    // Reading on begins the time anew.
    if (!this.#isWanted) return;
    this.destroy(
      new S3Error('RequestTimeout', {
        message: `Your socket connection to the server was not read from or written to within the timeout period: nothing has come for ${stallMs / 1_000} seconds.`,
      }),
    );
  }
}
