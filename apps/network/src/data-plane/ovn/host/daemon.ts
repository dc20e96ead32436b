/** A program that is to run: started again whenever it ends, until it is stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface DaemonOptions {
  readonly command: readonly [string, ...string[]];
  /** Where it starts, and by which a later process knows it for this one's. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called when it ends without having been told to. */
  ended(how: string): void;
  /** Called when it was started again. */
  restarted(): void;
}

/** Milliseconds; long enough that what fails at once does not use up a core. */
const RESTART_MS = 100;
const STOP_MS = 3_000;

export class Daemon {
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(private readonly options: DaemonOptions) {}

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    const [file, ...args] = this.options.command;
    const { cwd, env } = this.options;
    // A session of its own: Ctrl-C of the terminal is for this process, which ends it in order.
    const child = spawn(file, args, { cwd, env, stdio: 'ignore', detached: true });
    this.#child = child;
    child.once('error', (error) => this.#ended(child, error.message));
    child.once('exit', (code, signal) => this.#ended(child, signal ?? `exit code ${code ?? ''}`));
  }

  /** Has it start anew at once. */
  restart(): void {
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (!child || child.pid === undefined) return;
    const exit = once(child, 'exit');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.kill('SIGTERM');
    await exit.finally(() => clearTimeout(force));
  }

  /** Ends it without waiting, as the process exits. */
  kill(): void {
    this.#isStopping = true;
    this.#child?.kill('SIGKILL');
  }

  #ended(child: ChildProcess, how: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (this.#isStopping) return;
    this.options.ended(how);
    this.#timer = setTimeout(() => {
      this.start();
      this.options.restarted();
    }, RESTART_MS);
  }
}
