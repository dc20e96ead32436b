/**
 * Starts a load balancer's HAProxy in a session of its own, so that it outlives this process, or
 * reloads a running one. Both return once the current worker reports the wanted configuration and no
 * other accepts connections.
 */
import { spawn } from 'node:child_process';
import { open, readFile, truncate } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { PROGRAM_ENVIRONMENT } from '@cumulet/common/programs/run-program';
import { BalancerRefusedError } from '../../data-plane.js';
import { command, toProcess } from '../runtime/commands.js';
import type { BalancerFolder } from './balancer-folder.js';
import { askMaster, askWorker } from './proxy-socket.js';

const TIMEOUT_MS = 15_000;
const INTERVAL_MS = 5;
/** The master's report of a failed reload. */
const FAILED = /\bmaster\b.*\[failed: [1-9]/;
/** The master's entry for the worker before the last reload. */
const PREDECESSOR = /^(\d+)\s+worker\s+1\s/m;
/** The report of a stopping worker, or the master's for one that is gone. */
const STOPPED = /^Stopping: 1$|Can't find the target PID/m;

/** @throws BalancerRefusedError with its own message if it exits */
export async function startProxy(
  [program, ...args]: [string, ...string[]],
  folder: BalancerFolder,
  fingerprint: string,
): Promise<void> {
  const log = await open(folder.log, 'w', 0o600);
  await log.close();
  const output = await open(folder.log, 'a');
  let ended: { readonly error?: Error } | undefined;
  const child = spawn(program, args, {
    cwd: folder.path,
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
    env: PROGRAM_ENVIRONMENT,
  });
  child.on('error', (error) => (ended ??= { error }));
  child.on('exit', () => (ended ??= {}));
  await output.close();
  child.unref();
  await waitFor(fingerprint, folder, () => ended !== undefined);
}

/** @throws BalancerRefusedError if it keeps its former configuration */
export async function reloadProxy(folder: BalancerFolder, fingerprint: string): Promise<void> {
  await truncate(folder.log).catch(() => undefined);
  // It ends the connection because it re-executes itself.
  await askMaster(folder, command('reload')).catch(() => '');
  await waitFor(fingerprint, folder, async () =>
    FAILED.test(await askMaster(folder, command('show proc')).catch(() => '')),
  );
  await waitForPredecessor(folder);
}

/**
 * Both workers have the listening sockets for a moment: connections to the former would be served by
 * the old configuration and not be counted. On a busy machine, it takes a while to learn of its
 * successor.
 */
async function waitForPredecessor(folder: BalancerFolder): Promise<void> {
  const [, pid] =
    PREDECESSOR.exec(await askMaster(folder, command('show proc')).catch(() => '')) ?? [];
  if (pid === undefined) return;
  const deadline = Date.now() + TIMEOUT_MS;
  const asked = toProcess(Number(pid), command('show info'));
  const ask = (): Promise<string> => askMaster(folder, asked).catch(() => '');
  while (!STOPPED.test(await ask()) && Date.now() < deadline) await delay(INTERVAL_MS);
}

/** @returns undefined if nothing runs */
export async function runningFingerprint(folder: BalancerFolder): Promise<string | undefined> {
  const said = await askWorker(folder, command('show info')).catch(() => '');
  return /^description: (.*)$/m.exec(said)?.[1];
}

async function waitFor(
  fingerprint: string,
  folder: BalancerFolder,
  hasFailed: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while ((await runningFingerprint(folder)) !== fingerprint) {
    if ((await hasFailed()) || Date.now() > deadline) throw await failureOf(folder);
    await delay(INTERVAL_MS);
  }
}

async function failureOf(folder: BalancerFolder): Promise<Error> {
  const log = await logOf(folder);
  const reason = reasonIn(log);
  if (reason !== undefined) return new BalancerRefusedError(`HAProxy does not start: ${reason}.`);
  return new Error('HAProxy does not run by its configuration', { cause: log });
}

async function logOf({ log }: BalancerFolder): Promise<string> {
  return readFile(log, 'utf8').catch(() => '');
}

/** `[ALERT]    (123) : config : what is wrong` */
const ALERT = /^\[ALERT\]\s+\(\d+\)\s*:\s*(?:config\s*:\s*)?(.*)$/;
/** Repeats that there was an error. */
const SUMMARY = /^(?:Error\(s\)|Fatal errors) found in configuration|Loading failure|^\[haproxy\./;
const PLACE = /parsing \[[^\]]*\]\s*:\s*/g;
const FOLDER = /(?:\/[^\s'"/]+)*\/?\b(?:next|configuration)\//g;
const MAX_LINES = 3;

/**
 * HAProxy's own reason for refusing a configuration, for the load balancer's owner: without paths and
 * process IDs.
 * @returns undefined without an error
 */
export function reasonIn(log: string): string | undefined {
  const alerts = log.split('\n').flatMap((line) => {
    const said = ALERT.exec(line)?.[1]
      ?.replaceAll(PLACE, '')
      .replaceAll(FOLDER, '')
      .replace(/[.\s]+$/, '');
    return said === undefined || said === '' || SUMMARY.test(said) ? [] : [said];
  });
  return alerts.length === 0 ? undefined : alerts.slice(0, MAX_LINES).join('; ');
}
