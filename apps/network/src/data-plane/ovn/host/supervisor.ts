/**
 * Runs some of OVN's daemons in a folder: whatever of them ends is started again, and none outlives
 * this process but where it is killed. Then the next one takes over those that run as it would start
 * them, and ends the others.
 */
import { chown, mkdir, realpath, readdir, readFile, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { commandOf, DAEMON_ENVIRONMENT, isOneOf, programArgs, type DaemonName } from './daemons.js';
import { accountOf, type OvnFolder } from './host-settings.js';
import { OvnHostError } from './ovn-host.errors.js';

export const READY_MS = 20_000;
const POLL_MS = 10;

export interface HostEvents {
  /** A daemon has ended by itself, and is started again. */
  readonly ended: (name: DaemonName, how: string) => void;
}

export class Supervisor {
  readonly #daemons = new Map<DaemonName, Daemon>();
  readonly #stopping = new AbortController();
  #left: ReadonlyMap<DaemonName, number> = new Map();
  readonly #atExit = (): void => [...this.#daemons.values()].forEach((daemon) => daemon.kill());

  /** @param wanted in the order of their start */
  constructor(
    private readonly options: OvnFolder,
    private readonly wanted: WantedDaemons,
    private readonly events: HostEvents,
  ) {}

  /** Afterwards nothing runs but what goes on. @throws OvnHostError otherwise */
  async prepare(): Promise<void> {
    const { folder } = this.options;
    this.#left = await endUnfit(this.options, this.wanted);
    await chown(folder, accountOf(folder), accountOf(folder));
    process.on('exit', this.#atExit);
  }

  /** Whether an earlier process has left it, and it goes on. */
  isLeft(name: DaemonName): boolean {
    return this.#left.has(name);
  }

  /** @param restarted called whenever it was started again */
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

  /** Has it start anew at once. */
  restart(name: DaemonName): void {
    this.#daemons.get(name)?.restart();
  }

  /** Undefined while it does not run. */
  pidOf(name: DaemonName): number | undefined {
    return this.#daemons.get(name)?.pid;
  }

  /**
   * @param socket its name in the folder
   * @throws OvnHostError if nobody listens there in time
   */
  async answering(socket: string, withinMs = READY_MS): Promise<void> {
    const path = join(this.options.folder, socket);
    const end = performance.now() + withinMs;
    while (!(await answers(path))) {
      if (performance.now() > end || this.#stopping.signal.aborted)
        throw new OvnHostError(`${path} does not answer; the logs beside it say why`);
      await delay(POLL_MS);
    }
  }

  /** In the order opposite to that of their start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    process.off('exit', this.#atExit);
    for (const name of Object.keys(this.wanted).reverse() as DaemonName[])
      await this.#daemons.get(name)?.stop();
  }
}

/** Closed to all but root and the daemons. @returns its path without links */
export async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  return realpath(path);
}

function answers(path: string): Promise<boolean> {
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

/** A program that is to run: started again whenever it ends, until it is stopped. */
class Daemon {
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

// The daemons that a process which was killed has left: those that still fit go on.

const END_MS = 20_000;

/** By their names, the arguments that each gets besides those that it always has. */
type WantedDaemons = Readonly<Partial<Record<DaemonName, readonly string[]>>>;

/** @returns the processes that are one of the daemons: these work in their folder all their life */
export async function daemonsIn(
  folder: string,
  names: readonly DaemonName[],
): Promise<ProcessIn[]> {
  const all = await processesIn(folder);
  return all.filter(({ pid, argv }) => isOneOf(names, argv) && isRunning(pid));
}

/**
 * Ends what does not run as it would be started now.
 * @returns what may go on, by names
 * @throws OvnHostError if one does not end
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
        `The processes ${pids.join(', ')} keep hold of ${folder}: end them first`,
      );
    await delay(POLL_MS);
  }
}

// Processes that are not this one's children. Public source: proc(5).

interface ProcessIn {
  readonly pid: number;
  readonly argv: readonly string[];
  /** Whether its program has been removed or replaced since it was started. */
  readonly isOutdated: boolean;
}

/** The processes whose working folder it is. */
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

/** Whether it runs: one that nobody has waited for yet has ended all the same. */
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
