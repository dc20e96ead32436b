/**
 * One run of the server, from the start of its process to its end. If the cluster is durable the
 * process gets its own session, so that a Ctrl-C in the terminal reaches it only through its
 * keeper, after those who use it have finished.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, renameSync, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Account } from './account.js';
import { ClusterError } from './cluster-error.js';
import type { ClusterPaths } from './cluster-folder.js';
import { dataArgument } from './data-argument.js';
import { PROGRAM_ENVIRONMENT } from './run-program.js';
import { serverArguments } from './server-settings.js';

export interface PostmasterOptions {
  readonly postgres: string;
  readonly account: Account;
  readonly paths: ClusterPaths;
  readonly port: number;
  readonly durable: boolean;
  readonly connections?: number | undefined;
  /** Called when its process runs. */
  readonly onSpawn?: (() => void) | undefined;
}

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Resolves, with how it ended, when the process is gone. */
  readonly ended: Promise<string>;
  /** Disconnects all clients, writes all to disk and ends. */
  stop(): Promise<void>;
}

const POLL_MS = 10;
/** Recovery after a crash replays at most `max_wal_size`: a minute or so on a slow disk. */
const READY_MS = 120_000;
const STOP_MS = 30_000;
const LOG_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * Starts the server and waits until it accepts connections. If this process exits without having
 * stopped it, even during the start, the server is told to end.
 * @throws ClusterError with the server's own reason if it ends instead
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { postgres, account, paths, port, durable } = options;
  const log = openLog(paths.log);
  const logStart = fstatSync(log).size;
  const child = spawn(postgres, ['-D', dataArgument(paths.data), ...serverArguments(options)], {
    ...account,
    cwd: paths.data,
    env: PROGRAM_ENVIRONMENT,
    detached: durable,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal ? `signal ${signal}` : `exit code ${code}`),
    );
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new ClusterError(`Postgres cannot be run: ${String(error)}`, { cause: error });
  }
  const killOnExit = (): void => void child.kill(durable ? 'SIGINT' : 'SIGQUIT');
  process.once('exit', killOnExit);
  void ended.then(() => process.off('exit', killOnExit));
  options.onSpawn?.();
  // Known from here on, since the process exists.
  const pid = child.pid as number;
  const outcome = await waitUntilReady(pid, paths.data, ended);
  if (outcome !== READY) {
    child.kill('SIGKILL');
    throw await startFailure(paths, logStart, outcome);
  }
  return {
    pid,
    port,
    ended,
    async stop() {
      child.kill('SIGINT');
      const giveUp = setTimeout(() => child.kill('SIGQUIT'), STOP_MS);
      await ended;
      clearTimeout(giveUp);
    },
  };
}

const READY = Symbol('ready');

/**
 * As pg_ctl does: the server writes its state into the eighth line of its pid file.
 * @returns READY, or why it will not be
 */
async function waitUntilReady(
  pid: number,
  data: string,
  ended: Promise<string>,
): Promise<typeof READY | string> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').then(
      (text) => text.split('\n').map((line) => line.trim()),
      () => [],
    );
    if (lines[0] === String(pid) && lines[7] === 'ready') return READY;
    const outcome = await Promise.race([ended, delay(POLL_MS)]);
    if (outcome !== undefined) return outcome;
  }
  return `it was not ready within ${READY_MS / 1000} s`;
}

/** The log holds server events alone; one earlier file is kept. */
function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/** Says in one line why the server did not start, quoting its recent log. */
async function startFailure(
  paths: ClusterPaths,
  logStart: number,
  outcome: string,
): Promise<ClusterError> {
  const file = await open(paths.log, 'r');
  const { size } = await file.stat();
  const { buffer } = await file.read({ buffer: Buffer.alloc(size - logStart), position: logStart });
  await file.close();
  const said = buffer.toString('utf8');
  const reason = /(?:PANIC|FATAL): +(.*)/.exec(said)?.[1] ?? said.split('\n', 1)[0];
  return new ClusterError(
    `Postgres does not start from ${paths.folder}: ${reason || outcome} (see ${paths.log}). ` +
      `If the folder is damaged, restore it from a backup, or move it away to start with an empty one`,
  );
}
