/** A process of a service at an address of its own, which dies and comes back as another. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.js';
import type { Environment } from './composed.js';

const RESOLVER = new URL('resolver.mjs', import.meta.url).href;
/** This release. */
export const OWN = fileURLToPath(new URL('../..', import.meta.url));

/** Twenty-one that start at once share the processors. */
const LIMIT_MS = 600_000;

export interface ProcessOptions {
  /** `compute-api 2` */
  readonly name: string;
  /** The workspace whose program it is. */
  readonly app: string;
  /** `http://127.9.4.2:8774/readyz` */
  readonly probe: string;
  readonly env: Environment;
  /** Where all of its runs log. */
  readonly log: string;
}

export class ServiceProcess {
  #child: ChildProcess | undefined;

  constructor(private readonly options: ProcessOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** @param checkout of a release that is built */
  launch(checkout = OWN): void {
    const { app, env, log } = this.options;
    const file = openSync(log, 'a');
    this.#child = spawn(
      process.execPath,
      [`--import=${RESOLVER}`, join(checkout, 'apps', app, 'dist/main.js')],
      { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', file, file] },
    );
    closeSync(file);
  }

  /** @throws Error with the end of its log, if it ends before it is ready */
  async ready(): Promise<void> {
    await eventually(`${this.name} ready`, LIMIT_MS, async () => {
      if (!this.#child || this.#child.exitCode !== null)
        throw new Error(`${this.name} ended: ${(await this.log()).slice(-2_000)}`);
      return (await this.isReady()) || undefined;
    });
  }

  isReady(): Promise<boolean> {
    return fetch(this.options.probe, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  log(): Promise<string> {
    return readFile(this.options.log, 'utf8');
  }

  /** Returns once it is gone. @returns its exit code, null by a signal */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await ended)[0];
  }
}
