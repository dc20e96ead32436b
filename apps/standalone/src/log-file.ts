/**
 * The file that all services log to.
 *
 * Always holds: a log that cannot be written keeps nobody from their work. Its lines are dropped,
 * those that wait are bounded, and it is tried again with the next ones.
 */
import { writeSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DestinationStream } from 'pino';
import { StartupError } from './startup-error.js';

/** Lines that may wait for a disk that is slow. */
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
   * @param complain takes a line, once, where others are lost
   * @throws StartupError where the file cannot be opened
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

  /** What has been written so far is in the file then, or lost; later lines are. */
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

  /** A full disk may have taken the first half of a line: what comes next begins a new one. */
  #takeWaiting(): string {
    const lines = this.#waiting.splice(0).join('');
    return this.#torn ? `\n${lines}` : lines;
  }

  /** The last words of a process that ends without a stop. */
  #writeWaiting(): void {
    try {
      writeSync(this.file.fd, this.#takeWaiting());
    } catch {
      // Nobody is left to be told.
    }
  }

  #lose(why: string): void {
    if (this.#complained) return;
    this.#complained = true;
    this.complain(`The log ${this.path} cannot be written (${why}): lines are lost until it can`);
  }
}
