/** The command line of a HAProxy: programs, place, user and limits. */
import { join } from 'node:path';
import {
  type Account,
  type Capability,
  effectiveUid,
  hasOwnAccounts,
  lackingCapability,
  ownAccount,
  type ProcessFacts,
  readProcessFacts,
  TO_RUN_AS_OTHERS,
} from '@cumulet/common/programs/own-users';
import { findProgram } from '@cumulet/common/programs/find-program';
import type { Place } from '../../data-plane.js';
import { CONFIGURATION } from '../configuration/render.js';
import { FILES } from '../configuration/words.js';
import { MASTER_SOCKET } from './proxy-socket.js';

/** The paths of the programs that start it. */
interface StartPrograms {
  readonly haproxy: string;
  readonly prlimit: string;
  readonly setpriv: string;
  readonly nsenter: string;
}

export interface Launch {
  readonly place: Place;
  /** The user that it runs as; undefined for that of this process. */
  readonly account: Account | undefined;
  readonly memoryBytes: number;
  /** The file with its process ID, within its folder. */
  readonly pidFile: string;
}

const NAMESPACES = '/run/netns';
const NAMESPACE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The capability of ping(8) when a check runs it, which HAProxy itself lacks. */
const PING = '+net_raw';
const BIND = '+net_bind_service';

/** Each program executes the next one, so HAProxy has the first one's process ID. */
export function commandLine(programs: StartPrograms, launch: Launch): [string, ...string[]] {
  const { place, account, memoryBytes, pidFile } = launch;
  const inside = [
    programs.prlimit,
    `--as=${memoryBytes}`,
    '--core=0',
    '--',
    ...(account ? [programs.setpriv, ...becoming(account), '--'] : []),
    programs.haproxy,
    '-W',
    '-S',
    `unix@${MASTER_SOCKET},mode,600`,
    '-f',
    join(FILES, CONFIGURATION),
    '-p',
    pidFile,
  ];
  const [program = '', ...args] =
    place.kind === 'host'
      ? inside
      : [programs.nsenter, `--net=${namespaceFile(place)}`, '--', ...inside];
  return [program, ...args];
}

/** The network namespace's file. @throws Error for an invalid name */
export function namespaceFile(place: Place): string {
  if (place.kind === 'host') return '/proc/self/ns/net';
  if (!NAMESPACE.test(place.name)) throw new Error('a network namespace has no name of a file');
  return join(NAMESPACES, place.name);
}

function becoming({ uid, gid }: Account): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=-all,${BIND}`,
    `--ambient-caps=-all,${BIND}`,
    `--bounding-set=-all,${BIND},${PING}`,
  ];
}

export interface ProxyPrograms extends StartPrograms {
  /** Undefined: members that should be pinged are down. */
  readonly ping: string | undefined;
}

/** @returns the programs, or the names of missing ones */
export async function findProxyPrograms(
  searchPath: string,
): Promise<ProxyPrograms | { readonly missing: readonly string[] }> {
  const [haproxy, prlimit, setpriv, nsenter, ping] = await Promise.all(
    ['haproxy', 'prlimit', 'setpriv', 'nsenter', 'ping'].map((one) => findProgram(one, searchPath)),
  );
  if (haproxy && prlimit && setpriv && nsenter) return { haproxy, prlimit, setpriv, nsenter, ping };
  const found = { haproxy, prlimit, setpriv, nsenter };
  return { missing: Object.entries(found).flatMap(([name, path]) => (path ? [] : [name])) };
}

/**
 * The user of a load balancer's HAProxy. Under root, each runs as a user of its own, who owns that load
 * balancer's files only and may bind ports below 1024. Without root, HAProxy runs as this process:
 * undefined.
 */
export type AccountOf = (balancerId: string) => Account | undefined;

const NEEDED: readonly Capability[] = [...TO_RUN_AS_OTHERS, 'CAP_SETPCAP', 'CAP_NET_BIND_SERVICE'];

export async function findAccounts(): Promise<AccountOf> {
  return judgeAccounts(await readProcessFacts());
}

export function judgeAccounts(facts: ProcessFacts): AccountOf {
  const mayBecomeOthers =
    effectiveUid(facts) === 0 && lackingCapability(facts, NEEDED) === undefined;
  if (!mayBecomeOthers || !hasOwnAccounts(facts)) return () => undefined;
  return (balancerId) => ownAccount(`load balancer ${balancerId}`);
}
