/**
 * The platform as a user runs it: `npm start` in its own data folder. Nothing of ours is imported
 * here; all that is known of the cloud is what it prints and writes.
 */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';
import { groupsOf, removeGroups } from './guest-groups.js';
import { freePort } from '@cumulet/testing/free-port';
import { copyStartedFolder } from './started-folders.js';

const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));

/** A cloud of root's says so at its start. */
const BALANCERS = /\/run\/cumulet-loadbalancer-[0-9a-f]{8}-[0-9a-f]{8}/;

/** A first start builds the guest image, which takes a while on a slow machine. */
const START_LIMIT_MS = 240_000;

type Settings = Readonly<Record<string, string>>;

/** How another process of a run finds a cloud. */
export interface CloudRecord {
  readonly pid: number;
  readonly folder: string;
  readonly port: number;
  readonly s3Port: number;
  readonly balancers: string | undefined;
}

export class RunningCloud {
  #process: ChildProcess | undefined;
  /** The process of a cloud that another process has started. */
  #pid: number | undefined;
  #output = '';
  /** Where its load balancers are, if that is not in its folder. */
  #balancers: string | undefined;
  /** What it starts as from the next start on: a program for Node.js. */
  program = START;

  private constructor(
    readonly folder: string,
    readonly port: number,
    readonly s3Port: number,
    private readonly settings: Settings,
  ) {}

  /**
   * In a new data folder, on a free port. Where it does not come up, nothing of it is left.
   * @param settings in addition to these, from docs/settings.md
   */
  static async start(settings: Settings = {}): Promise<RunningCloud> {
    const cloud = await RunningCloud.#in(await newFolder(), settings);
    await cloud.#startOrRemove();
    return cloud;
  }

  /** Likewise, but in a folder in which such a cloud has started before: sooner. */
  static async startAgain(settings: Settings): Promise<RunningCloud> {
    const cloud = await RunningCloud.stopped(settings);
    await cloud.#startOrRemove();
    return cloud;
  }

  /** One that does not run, in a folder in which such a cloud has started before. */
  static async stopped(settings: Settings): Promise<RunningCloud> {
    const folder = await newFolder();
    await copyStartedFolder(folder, settings, async (empty, few) => {
      const first = await RunningCloud.#in(empty, few);
      await first.#startOrRemove();
      await first.stop();
    });
    return RunningCloud.#in(folder, settings);
  }

  /** One that another process of the run has left to others. */
  static attach({ pid, folder, port, s3Port, balancers }: CloudRecord): RunningCloud {
    const cloud = new RunningCloud(folder, port, s3Port, {});
    cloud.#pid = pid;
    cloud.#balancers = balancers;
    return cloud;
  }

  static async #in(folder: string, settings: Settings): Promise<RunningCloud> {
    return new RunningCloud(folder, await freePort(), await freePort(), settings);
  }

  async #startOrRemove(): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      await this.remove();
      throw error;
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get s3Url(): string {
    return `http://127.0.0.1:${this.s3Port}`;
  }

  get cloudsYaml(): string {
    return join(this.folder, 'clouds.yaml');
  }

  /** Its output since the last start. */
  get output(): string {
    return this.#output;
  }

  /** @returns milliseconds until every API was ready */
  async start(): Promise<number> {
    const began = performance.now();
    const child = this.#launch();
    await new Promise<void>((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new Error(`not up in time:\n${this.#output}`)),
        START_LIMIT_MS,
      );
      const look = (): void => {
        if (!this.#output.includes('Ctrl-C stops the cloud')) return;
        clearTimeout(limit);
        resolve();
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.once('exit', (code) => {
        clearTimeout(limit);
        reject(new Error(`ended with ${String(code)}:\n${this.#output}`));
      });
    });
    return performance.now() - began;
  }

  /**
   * Ends it when its database has just been started.
   * @param times how many signals it is sent
   * @returns its exit code
   */
  async startAndInterrupt(signal: NodeJS.Signals, times: 1 | 2 = 1): Promise<number | null> {
    const child = this.#launch();
    await eventually('a database', START_LIMIT_MS, async () => (await this.processes()).at(0));
    if (times === 2) {
      child.kill(signal);
      await eventually('an answer', START_LIMIT_MS, () =>
        Promise.resolve(this.#output.includes('Stopping') || undefined),
      );
    }
    return this.#end(signal);
  }

  /** Lets it run on when this process ends. */
  leave(): CloudRecord {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error('The cloud does not run');
    this.hangUp();
    this.#process?.unref();
    this.#process = undefined;
    this.#pid = pid;
    const { folder, port, s3Port } = this;
    return { pid, folder, port, s3Port, balancers: this.#balancers };
  }

  /** Its output has no reader any more. */
  hangUp(): void {
    this.#process?.stdout?.destroy();
    this.#process?.stderr?.destroy();
  }

  /** @param signal by default that of Ctrl-C. @returns its exit code */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    return this.#end(signal);
  }

  /** As the kernel does when memory runs out: without warning. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends all of the cloud's processes, and removes its folder. */
  async remove(): Promise<void> {
    await this.#end('SIGINT');
    const guests = await this.guestProcesses();
    const groups = await Promise.all(guests.map(groupsOf));
    // What outlives a cloud as guests do: proxies of load balancers.
    for (const pid of await this.processes()) kill(pid);
    await removeGroups(groups.flat());
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true });
  }

  /** Its data folder, and where its load balancers are. */
  get folders(): string[] {
    return [this.folder, ...(this.#balancers === undefined ? [] : [this.#balancers])];
  }

  /** Process ids of guests, the database and tools: those that work in this cloud's folder, or name it. */
  async processes(): Promise<number[]> {
    return (await this.#processes()).map(({ pid }) => pid);
  }

  /** Process ids of QEMU processes that have this cloud's folder in their arguments. */
  async guestProcesses(): Promise<number[]> {
    return [...(await this.guests()).keys()];
  }

  /** Guests' ids by process id, from their arguments. */
  async guests(): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    for (const { pid, args } of await this.#processes()) {
      const uuid = args[args.indexOf('-uuid') + 1];
      if (args[0]?.includes('qemu-system') && uuid) found.set(pid, uuid);
    }
    return found;
  }

  async #processes(): Promise<{ pid: number; args: string[] }[]> {
    const found = [];
    for (const pid of await allProcesses()) {
      const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      if (this.folders.some((folder) => args.includes(folder) || cwd.startsWith(folder)))
        found.push({ pid, args: args.split('\0') });
    }
    return found;
  }

  #launch(): ChildProcessByStdio<null, Readable, Readable> {
    this.#output = '';
    const child = spawn(process.execPath, [this.program], {
      env: {
        ...process.env,
        ...this.settings,
        CUMULET_DATA_DIR: this.folder,
        CUMULET_PORT: String(this.port),
        S3_PORT: String(this.s3Port),
        // The tests' own environment must not configure the cloud.
        NODE_OPTIONS: '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const read = (chunk: Buffer): void => {
      this.#output += chunk.toString();
      this.#balancers ??= BALANCERS.exec(this.#output)?.[0];
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    this.#process = child;
    return child;
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const pid = this.#pid;
    if (pid !== undefined) {
      kill(pid, signal);
      await eventually('its end', START_LIMIT_MS, () =>
        Promise.resolve(existsSync(`/proc/${pid}`) ? undefined : true),
      );
      return null;
    }
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await exited)[0];
  }
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'cumulet-conformance-'));
}

async function allProcesses(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

/** One that has ended meanwhile is as good. */
function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
