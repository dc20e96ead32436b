/** Brings a load balancer's HAProxy to its configuration. */
import { createHash, randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@cumulet/common/programs/run-program';
import type { Account } from '@cumulet/common/programs/own-users';
import type { BalancerSpec } from '../balancer-spec.js';
import { BalancerRefusedError, type Place } from '../data-plane.js';
import {
  CONFIGURATION,
  fingerprintOf,
  type ProxyHost,
  render,
  SERVER_STATES,
} from './configuration/render.js';
import { FILES } from './configuration/words.js';
import { storeCounters } from './observe-balancer.js';
import {
  type BalancerFolder,
  discardNext,
  makeFolder,
  publish,
  replaceFile,
  stage,
  writeFor,
} from './process/balancer-folder.js';
import {
  type AccountOf,
  commandLine,
  namespaceFile,
  type ProxyPrograms,
} from './process/command-line.js';
import { endProcesses, findMaster, isInNamespace } from './process/find-processes.js';
import { askWorker } from './process/proxy-socket.js';
import { reasonIn, reloadProxy, runningFingerprint, startProxy } from './process/start-proxy.js';
import { command, type Command } from './runtime/commands.js';
import { memberCommands, readServerStates, statesOfDownMembers } from './runtime/server-states.js';

export interface ProxyOptions {
  readonly programs: ProxyPrograms;
  readonly accountOf: AccountOf;
  /** Concurrent connections of a load balancer, over all its listeners. */
  readonly maxConnections: number;
  readonly threads: number;
  /** Of each process. */
  readonly memoryBytes: number;
}

const SERVERS = command('show servers state');
const CHECK_TIMEOUT_MS = 30_000;
/** HAProxy accepts lines of up to 16 KiB. */
const COMMANDS_AT_ONCE = 64;

/**
 * Existing connections stay.
 * @throws BalancerRefusedError if HAProxy refuses the configuration or cannot bind its addresses
 */
export async function applyTo(
  folder: BalancerFolder,
  spec: BalancerSpec,
  place: Place,
  options: ProxyOptions,
): Promise<void> {
  const account = options.accountOf(folder.id);
  await makeFolder(folder, account);
  const host = await hostOf(folder, options);
  const wanted = fingerprintOf(spec, host);
  const running = await fingerprintAt(place, folder);
  if (running !== wanted) {
    await prepare(folder, render(spec, host, wanted), account, options);
    if (running === undefined) {
      await startAnew(folder, place, wanted, account, options);
    } else await reload(folder, spec, wanted, account);
  }
  await updateMembers(folder, spec);
}

/** The fingerprint of a process that can be reconfigured; undefined without one. */
async function fingerprintAt(place: Place, folder: BalancerFolder): Promise<string | undefined> {
  const master = await findMaster(folder);
  if (master === undefined || !(await isInNamespace(master, namespaceFile(place))))
    return undefined;
  return runningFingerprint(folder);
}

async function hostOf(folder: BalancerFolder, options: ProxyOptions): Promise<ProxyHost> {
  const { maxConnections, threads, programs } = options;
  if (programs.ping !== undefined) await writePingCheck(folder, programs.ping);
  return { maxConnections, threads, ping: PING_CHECK, peer: await peerOf(folder) };
}

/**
 * The loopback address at which a process hands its stick tables to its successor, because HAProxy
 * cannot do so by Unix sockets. The peer's name is its secret.
 */
async function peerOf(folder: BalancerFolder): Promise<ProxyHost['peer']> {
  let name = await readFile(folder.peerName, 'utf8').catch(() => '');
  if (!/^[0-9a-f]{32}$/.test(name)) {
    name = randomBytes(16).toString('hex');
    await replaceFile(folder.peerName, name);
  }
  const digest = createHash('sha256').update(folder.pidFile).update(folder.id).digest();
  const [third = 0, fourth = 0] = digest;
  return {
    name,
    address: `127.254.${third}.${fourth}`,
    port: 10_240 + (digest.readUInt16BE(2) >> 4),
  };
}

async function prepare(
  folder: BalancerFolder,
  files: ReturnType<typeof render>,
  account: Account | undefined,
  { programs }: ProxyOptions,
): Promise<void> {
  await stage(folder, files, account);
  const { exitCode, stderr } = await runProgram(
    programs.haproxy,
    ['-W', '-c', '-f', join(FILES, CONFIGURATION)],
    { timeoutMs: CHECK_TIMEOUT_MS, cwd: folder.next, account },
  );
  if (exitCode === 0) return publish(folder);
  await discardNext(folder);
  throw new BalancerRefusedError(
    `HAProxy refuses the configuration: ${reasonIn(stderr) ?? 'it does not say why'}.`,
  );
}

async function startAnew(
  folder: BalancerFolder,
  place: Place,
  wanted: string,
  account: Account | undefined,
  { programs, memoryBytes }: ProxyOptions,
): Promise<void> {
  await endProcesses(folder);
  await writeFor(account, join(folder.path, SERVER_STATES), statesOfDownMembers('', NOTHING));
  await replaceFile(folder.place, JSON.stringify(place));
  const { pidFile } = folder;
  const command = commandLine(programs, { place, account, memoryBytes, pidFile });
  await startProxy(command, folder, wanted);
}

const NOTHING: BalancerSpec = { id: '', enabled: false, addresses: [], listeners: [], pools: [] };

async function reload(
  folder: BalancerFolder,
  spec: BalancerSpec,
  wanted: string,
  account: Account | undefined,
): Promise<void> {
  const states = await askWorker(folder, SERVERS);
  await writeFor(account, join(folder.path, SERVER_STATES), statesOfDownMembers(states, spec));
  await storeCounters(folder);
  await reloadProxy(folder, wanted);
}

/** Changes that need no reload. */
async function updateMembers(folder: BalancerFolder, spec: BalancerSpec): Promise<void> {
  const lacking = async (): Promise<Command[]> =>
    memberCommands(spec, readServerStates(await askWorker(folder, SERVERS)));
  const commands = await lacking();
  if (commands.length === 0) return;
  const said: string[] = [];
  for (let at = 0; at < commands.length; at += COMMANDS_AT_ONCE)
    said.push(await askWorker(folder, ...commands.slice(at, at + COMMANDS_AT_ONCE)));
  const [still] = await lacking();
  if (still !== undefined)
    throw new Error(`HAProxy did not do as it was told: ${still}`, { cause: said.join('\n') });
}

/**
 * HAProxy pings members by a program that runs as HAProxy's user in its network namespace, gets the
 * member's address as the third argument, and is killed when its time is over.
 * Public source: HAProxy Configuration Manual, "external-check command".
 */
const PING_PROGRAM = 'ping-check';

/** The path must be absolute, and the same for all load balancers. */
const PING_CHECK = `/proc/self/cwd/${PING_PROGRAM}`;

/** @param ping the path of ping(8) */
async function writePingCheck(folder: BalancerFolder, ping: string): Promise<void> {
  const path = join(folder.path, PING_PROGRAM);
  await writeFor(undefined, path, `#!/bin/sh\nexec '${ping}' -n -q -c 1 -- "$3" >/dev/null 2>&1\n`);
  await chmod(path, 0o755);
}
