/**
 * The daemons of OVN, and how each is started: three are central to a cloud, and three run on each
 * host. Public source: ovn-architecture(7).
 */
import { basename } from 'node:path';
import { accountOf, namespaceOf, type OvnFolder } from './host-settings.js';
import type { OvnPrograms, ProgramName } from './ovn-programs.js';

export const CENTRAL_DAEMONS = ['northbound', 'southbound', 'northd'] as const;
export const CHASSIS_DAEMONS = ['switch-database', 'switch', 'controller'] as const;
export const DAEMON_NAMES = [...CENTRAL_DAEMONS, ...CHASSIS_DAEMONS] as const;

export type DaemonName = (typeof DAEMON_NAMES)[number];

interface DaemonProgram {
  readonly program: ProgramName;
  /** The first argument identifies the daemon among others of its program. */
  readonly args: readonly string[];
  /** Whether it runs in the switch's network namespace. */
  readonly inNamespace?: boolean;
  readonly capabilities?: readonly string[];
}

/** Relative socket names are resolved in the folder in which the daemons start. */
const LOGGING = ['-vconsole:off', '-vsyslog:off', '-vfile:warn'];

const DAEMONS: Readonly<Record<DaemonName, DaemonProgram>> = {
  northbound: database('nb'),
  southbound: database('sb'),
  'switch-database': database('switch'),
  switch: {
    program: 'ovs-vswitchd',
    args: ['unix:switch.sock', '--log-file=switch.log', '--unixctl=./vswitchd.ctl'],
    inNamespace: true,
    capabilities: ['net_admin', 'net_raw'],
  },
  northd: {
    program: 'ovn-northd',
    args: [
      '--ovnnb-db=unix:nb.sock',
      '--ovnsb-db=unix:sb.sock',
      '--log-file=northd.log',
      '--unixctl=./northd.ctl',
    ],
  },
  controller: {
    program: 'ovn-controller',
    // Outside of the namespace, since the southbound database may be on another host.
    args: ['unix:switch.sock', '--log-file=controller.log'],
  },
};

/** All folders are the working directory, whose path need not be reachable. */
export const DAEMON_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  ...Object.fromEntries(
    ['OVS', 'OVN'].flatMap((of) =>
      ['RUNDIR', 'LOGDIR', 'DBDIR', 'SYSCONFDIR'].map((what) => [`${of}_${what}`, '.']),
    ),
  ),
};

/** The final command line. @param more arguments in addition to the fixed ones */
export function programArgs(
  name: DaemonName,
  { programs }: OvnFolder,
  more: readonly string[] = [],
): readonly string[] {
  const { program, args } = DAEMONS[name];
  const command: readonly string[] = (programs as OvnPrograms).commands[program];
  return [...command, ...args, ...more, ...LOGGING];
}

/**
 * Root runs the daemon as a user of its own, with only the capabilities that it needs; another user
 * runs it as itself. The switch gets a `/dev/net/tun` of its user in a mount namespace of its own,
 * because the machine's may belong to root.
 * @param more as for `programArgs`
 */
export function commandOf(
  name: DaemonName,
  options: OvnFolder,
  more: readonly string[] = [],
): readonly [string, ...string[]] {
  const { inNamespace = false, capabilities = [] } = DAEMONS[name];
  const account = accountOf(options.folder);
  const args = programArgs(name, options, more);
  if (account === undefined) return args as [string, ...string[]];
  const given = ['-all', ...capabilities.map((one) => `+${one}`)].join(',');
  const drop = [
    'setpriv',
    `--reuid=${account}`,
    `--regid=${account}`,
    '--clear-groups',
    `--inh-caps=${given}`,
    `--ambient-caps=${given}`,
    `--bounding-set=${given}`,
    '--no-new-privs',
  ];
  const enter = inNamespace ? ['nsenter', `--net=/run/netns/${namespaceOf(options.folder)}`] : [];
  const ownTun = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    'mount --bind tun /dev/net/tun && exec "$@"',
    'sh',
  ];
  const command = [...enter, ...(name === 'switch' ? ownTun : []), ...drop, ...args];
  return command as [string, ...string[]];
}

/** Whether a process with these arguments is one of the daemons, or about to exec it. */
export function isOneOf(names: readonly DaemonName[], argv: readonly string[]): boolean {
  return names.some((name) => {
    const { program, args } = DAEMONS[name];
    return argv.includes(args[0] ?? '') && argv.some((one) => basename(one) === program);
  });
}

function database(name: string): DaemonProgram {
  return {
    program: 'ovsdb-server',
    args: [
      `${name}.db`,
      `--remote=punix:${name}.sock`,
      `--log-file=${name}-database.log`,
      `--unixctl=./${name}.ctl`,
    ],
  };
}
