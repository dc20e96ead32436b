/** How a HAProxy is started: where, as whom, and with what limits. Pure. */
import { join } from 'node:path';
import type { Account } from '@cumulet/common/programs/own-users';
import type { Place } from '../../data-plane.js';
import { CONFIGURATION } from '../configuration/render.js';
import { FILES } from '../configuration/words.js';
import { MASTER_SOCKET } from './proxy-socket.js';

/** The paths of the programs that start it. */
export interface StartPrograms {
  readonly haproxy: string;
  readonly prlimit: string;
  readonly setpriv: string;
  readonly nsenter: string;
}

export interface Launch {
  readonly place: Place;
  /** Whom it runs as; undefined: as this process. */
  readonly account: Account | undefined;
  readonly memoryBytes: number;
  /** The file that it writes its number to, within its folder. */
  readonly pidFile: string;
}

const NAMESPACES = '/run/netns';
const NAMESPACE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** What ping(8) may get when it is run to check a member; HAProxy itself has it not. */
const PING = '+net_raw';
const BIND = '+net_bind_service';

/** Each program becomes the next one, so the first one's process is HAProxy's. */
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

/** The file of the network namespace in which it runs. @throws Error for a name that is none */
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
