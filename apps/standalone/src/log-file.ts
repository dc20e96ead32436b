/**
 * The file that all services log to.
 *
 * Always holds: a log that cannot be written stops no work. Its lines are dropped, the waiting ones
 * are bounded, and the next lines try again.
 */
import { writeSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DestinationStream } from 'pino';
import { StartupError } from './startup-error.js';

/** Maximum lines that wait for a slow disk. */
const WAITING = 10_000;

export class LogFile implements DestinationStream {
  readonly #writeOnExit = (): void => this.#writeWaiting();
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #torn = false;
  #complained = false;
  #closed = false;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly complain: (line: string) => void,
  ) {
    process.once('exit', this.#writeOnExit);
  }

  /**
   * @param complain gets one line when lines are lost
   * @throws StartupError if the file cannot be opened
   */
  static async open(path: string, complain: (line: string) => void): Promise<LogFile> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return new LogFile(path, await open(path, 'a', 0o600), complain);
    } catch (error) {
      const { message } = error as Error;
      throw new StartupError(`The log ${path} cannot be opened: ${message}`, { cause: error });
    }
  }

  write(line: string): void {
    if (this.#closed) return;
    if (this.#waiting.length >= WAITING) this.#lose('the disk is too slow');
    else this.#waiting.push(line);
    this.#writing ??= this.#writeAll();
  }

  /** Flushes the file; later lines are lost. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    process.off('exit', this.#writeOnExit);
    await this.#writing;
    await this.file.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      try {
        await this.file.appendFile(this.#takeWaiting());
        this.#torn = false;
      } catch (error) {
        this.#torn = true;
        this.#lose((error as Error).message);
      }
    }
    this.#writing = undefined;
  }

  /** A full disk may have cut a line: the next one starts on a new line. */
  #takeWaiting(): string {
    const lines = this.#waiting.splice(0).join('');
    return this.#torn ? `\n${lines}` : lines;
  }

  /** The last lines of a process that ends without a stop. */
  #writeWaiting(): void {
    try {
      writeSync(this.file.fd, this.#takeWaiting());
    } catch {
      // Nothing can report this any more.
    }
  }

  #lose(why: string): void {
    if (this.#complained) return;
    this.#complained = true;
    this.complain(`The log ${this.path} cannot be written (${why}): lines are lost until it can`);
  }
}
