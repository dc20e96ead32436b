/**
 * Runs some of OVN's daemons in a folder: each is restarted when it exits. They outlive this process
 * unless it stops them. The next process adopts daemons that run with the arguments it would use,
 * and stops the others.
 */
import { mkdir, realpath, readdir, readFile, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { commandOf, DAEMON_ENVIRONMENT, isOneOf, programArgs, type DaemonName } from './daemons.js';
import { giveToDaemons, type OvnFolder } from './host-settings.js';
import { OvnHostError } from './ovn-host.errors.js';

export const READY_MS = 20_000;
const POLL_MS = 10;

export interface HostEvents {
  /** A daemon has exited by itself and is being restarted. */
  readonly ended: (name: DaemonName, how: string) => void;
}

export class Supervisor {
  readonly #daemons = new Map<DaemonName, Daemon>();
  readonly #stopping = new AbortController();
  #left: ReadonlyMap<DaemonName, number> = new Map();

  /** @param wanted in the order in which they start */
  constructor(
    private readonly options: OvnFolder,
    private readonly wanted: WantedDaemons,
    private readonly events: HostEvents,
  ) {}

  /** Stops daemons of an earlier process that do not fit. @throws OvnHostError if one survives */
  async prepare(): Promise<void> {
    const { folder } = this.options;
    this.#left = await endUnfit(this.options, this.wanted);
    await giveToDaemons(folder, folder);
  }

  /** The daemons of an earlier process that can be adopted. */
  get left(): readonly DaemonName[] {
    return [...this.#left.keys()];
  }

  isLeft(name: DaemonName): boolean {
    return this.#left.has(name);
  }

  /** @param restarted called after each restart */
  run(name: DaemonName, restarted: () => void = () => undefined): void {
    const daemon = new Daemon({
      command: commandOf(name, this.options, this.wanted[name]),
      cwd: this.options.folder,
      env: DAEMON_ENVIRONMENT,
      ended: (how) => this.events.ended(name, how),
      restarted,
    });
    this.#daemons.set(name, daemon);
    const left = this.#left.get(name);
    if (left === undefined) daemon.start();
    else daemon.adopt(left);
  }

  restart(name: DaemonName): void {
    this.#daemons.get(name)?.restart();
  }

  pidOf(name: DaemonName): number | undefined {
    return this.#daemons.get(name)?.pid;
  }

  /** @param socket its name in the folder @throws OvnHostError if nothing listens there in time */
  async answering(socket: string, withinMs = READY_MS): Promise<void> {
    const path = join(this.options.folder, socket);
    const end = performance.now() + withinMs;
    while (!(await answers(path))) {
      if (performance.now() > end || this.#stopping.signal.aborted)
        throw new OvnHostError(`${path} does not answer; see the logs beside it`);
      await delay(POLL_MS);
    }
  }

  /** Leaves the daemons to the next process, and restarts them no more. */
  detach(): void {
    this.#stopping.abort();
    for (const daemon of this.#daemons.values()) daemon.detach();
  }

  /** Stops the daemons, in the reverse order of their start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const name of Object.keys(this.wanted).reverse() as DaemonName[])
      await this.#daemons.get(name)?.stop();
  }
}

/** Accessible to this user and the daemons only. @returns its real path */
export async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  return realpath(path);
}

/** @param path of a Unix socket */
export function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

interface DaemonOptions {
  readonly command: readonly [string, ...string[]];
  /** The working directory, by which a later process recognises it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called when it exits without having been stopped. */
  ended(how: string): void;
  restarted(): void;
}

/** Milliseconds, so that a daemon that fails at once does not use up a core. */
const RESTART_MS = 100;
const STOP_MS = 3_000;
/** Milliseconds between checks whether an adopted process still runs. */
const LOOK_MS = 100;

/** A running process: a child, or one adopted from an earlier process. */
interface Running {
  readonly pid: number | undefined;
  kill(signal: NodeJS.Signals): void;
  /** Lets this process end before it. */
  unref(): void;
  /** Resolves with a description once it has exited. */
  readonly end: Promise<string>;
}

/** A program that is restarted whenever it exits, until it is stopped. */
class Daemon {
  #running: Running | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(private readonly options: DaemonOptions) {}

  get pid(): number | undefined {
    return this.#running?.pid;
  }

  start(): void {
    const [file, ...args] = this.options.command;
    const { cwd, env } = this.options;
    // A session of its own: Ctrl-C in the terminal reaches only this process, which stops it in
    // order.
    this.#follow(own(spawn(file, args, { cwd, env, stdio: 'ignore', detached: true })));
  }

  /** Takes over a running process of the program. */
  adopt(pid: number): void {
    this.#follow(foreign(pid));
  }

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

  /** Lets it run on without being restarted. */
  detach(): void {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    this.#running?.unref();
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
    (error: unknown) => (error as Error).message,
  );
  return {
    pid: child.pid,
    kill: (signal) => void child.kill(signal),
    unref: () => child.unref(),
    end: exit,
  };
}

function foreign(pid: number): Running {
  let look: NodeJS.Timeout | undefined;
  const end = new Promise<string>((resolve) => {
    look = setInterval(() => {
      if (isRunning(pid)) return;
      clearInterval(look);
      resolve('it was started by an earlier process');
    }, LOOK_MS);
  });
  return {
    pid,
    kill: (signal) => killProcess(pid, signal),
    unref: () => clearInterval(look),
    end,
  };
}

// Daemons that an earlier process has left.

const END_MS = 20_000;

/** The arguments of each daemon in addition to its fixed ones. */
type WantedDaemons = Readonly<Partial<Record<DaemonName, readonly string[]>>>;

/** @returns the processes that are daemons of this folder, which is their working directory */
export async function daemonsIn(
  folder: string,
  names: readonly DaemonName[],
): Promise<ProcessIn[]> {
  const all = await processesIn(folder);
  return all.filter(({ pid, argv }) => isOneOf(names, argv) && isRunning(pid));
}

/**
 * Stops daemons whose arguments differ from those they would get now.
 * @returns those that may be adopted, by name
 * @throws OvnHostError if one does not stop
 */
async function endUnfit(
  options: OvnFolder,
  wanted: WantedDaemons,
): Promise<ReadonlyMap<DaemonName, number>> {
  const names = Object.keys(wanted) as DaemonName[];
  const left = await daemonsIn(options.folder, names);
  const fit = new Map<DaemonName, number>();
  for (const name of names) {
    const args = programArgs(name, options, wanted[name]).join('\0');
    const one = left.find(({ argv, isOutdated }) => !isOutdated && argv.join('\0') === args);
    if (one) fit.set(name, one.pid);
  }
  const kept = new Set(fit.values());
  await endAll(
    options.folder,
    left.map(({ pid }) => pid).filter((pid) => !kept.has(pid)),
  );
  return fit;
}

async function endAll(folder: string, pids: readonly number[]): Promise<void> {
  const end = performance.now() + END_MS;
  for (const pid of pids) killProcess(pid, 'SIGKILL');
  while (pids.some(isRunning)) {
    if (performance.now() > end)
      throw new OvnHostError(
        `The processes ${pids.join(', ')} keep hold of ${folder}: stop them first`,
      );
    await delay(POLL_MS);
  }
}

// Processes that are not children of this one. Public source: proc(5).

interface ProcessIn {
  readonly pid: number;
  readonly argv: readonly string[];
  /** Whether its program has been removed or replaced since it was started. */
  readonly isOutdated: boolean;
}

/** The processes with this working directory. */
async function processesIn(folder: string): Promise<ProcessIn[]> {
  const pids = (await readdir('/proc')).filter((one) => /^\d+$/.test(one));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      if (cwd !== folder) return [];
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
      const argv = command.split('\0').slice(0, -1);
      return [{ pid: Number(pid), argv, isOutdated: program.endsWith(' (deleted)') }];
    }),
  );
  return found.flat();
}

/** Whether it runs; a zombie does not. */
function isRunning(pid: number): boolean {
  try {
    const state = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    return state !== undefined && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

export function killProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
