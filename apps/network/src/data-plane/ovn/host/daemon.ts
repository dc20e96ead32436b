/** A program that is to run: started again whenever it ends, until it is stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isRunning, killProcess } from './processes.js';

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
/** How often it is looked whether somebody else's child still runs. */
const LOOK_MS = 100;

/** A process that runs: one's own child, or one that an earlier process has left. */
interface Running {
  readonly pid: number | undefined;
  kill(signal: NodeJS.Signals): void;
  /** Resolves once it has ended, with how. */
  readonly end: Promise<string>;
}

export class Daemon {
  #running: Running | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(private readonly options: DaemonOptions) {}

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#running?.pid;
  }

  start(): void {
    const [file, ...args] = this.options.command;
    const { cwd, env } = this.options;
    // A session of its own: Ctrl-C of the terminal is for this process, which ends it in order.
    this.#follow(own(spawn(file, args, { cwd, env, stdio: 'ignore', detached: true })));
  }

  /** Takes over a process of the program that runs already. */
  adopt(pid: number): void {
    this.#follow(foreign(pid));
  }

  /** Has it start anew at once. */
  restart(): void {
    this.#running?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const running = this.#running;
    if (running?.pid === undefined) return;
    const force = setTimeout(() => running.kill('SIGKILL'), STOP_MS);
    running.kill('SIGTERM');
    await running.end.finally(() => clearTimeout(force));
  }

  /** Ends it without waiting, as the process exits. */
  kill(): void {
    this.#isStopping = true;
    this.#running?.kill('SIGKILL');
  }

  #follow(running: Running): void {
    this.#running = running;
    void running.end.then((how) => {
      this.#running = undefined;
      if (this.#isStopping) return;
      this.options.ended(how);
      this.#timer = setTimeout(() => {
        this.start();
        this.options.restarted();
      }, RESTART_MS);
    });
  }
}

function own(child: ChildProcess): Running {
  const exit = once(child, 'exit').then(
    ([code, signal]) => (signal as string | null) ?? `exit code ${String(code)}`,
    // It could not be started.
    (error: unknown) => (error as Error).message,
  );
  return { pid: child.pid, kill: (signal) => void child.kill(signal), end: exit };
}

function foreign(pid: number): Running {
  const end = new Promise<string>((resolve) => {
    const look = setInterval(() => {
      if (isRunning(pid)) return;
      clearInterval(look);
      resolve('it was started by an earlier process');
    }, LOOK_MS);
  });
  return { pid, kill: (signal) => killProcess(pid, signal), end };
}
