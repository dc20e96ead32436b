/**
 * Runs some of OVN's daemons in a folder: whatever of them ends is started again, and none outlives
 * this process but where it is killed. Then the next one takes over those that run as it would start
 * them, and ends the others.
 */
import { chown, mkdir, realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Daemon } from './daemon.js';
import { commandOf, DAEMON_ENVIRONMENT, type DaemonName } from './daemons.js';
import { accountOf, type OvnFolder } from './host-settings.js';
import { endUnfit, type WantedDaemons } from './leftover-daemons.js';
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
