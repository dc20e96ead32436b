/** A real process that runs one of our TypeScript files: for tests that must kill one. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const SOURCES = new URL('../../../../scripts/lib/typescript-sources.mjs', import.meta.url).href;

export class TestProcess {
  readonly #lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #ended: Promise<number | null>;
  #isOver = false;

  private constructor(private readonly child: ChildProcessByStdio<null, Readable, null>) {
    createInterface(child.stdout).on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.#ended = new Promise((resolve) => {
      child.on('close', (code) => {
        this.#isOver = true;
        this.#wake();
        resolve(code);
      });
    });
  }

  /** @param file a TypeScript file's URL. @param args its arguments, never a secret */
  static start(file: URL, args: readonly string[]): TestProcess {
    const options = ['--import', SOURCES, '--conditions=cumulet-source', '--no-warnings'];
    const child = spawn(process.execPath, [...options, fileURLToPath(file), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'] },
    });
    return new TestProcess(child);
  }

  /** Returns once the process has printed this line. @throws Error if it ends without doing so */
  async printed(line: string): Promise<void> {
    while (!this.#lines.includes(line)) {
      if (this.#isOver) throw new Error(`the process ended without printing '${line}'`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Asks it to end. @returns its exit code; null if the signal ended it */
  async terminate(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.#ended;
  }

  /** Returns its exit code once it has ended by itself. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** By SIGKILL. Returns once it has ended. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#ended;
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
