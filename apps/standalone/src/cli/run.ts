/** The command `cumulet`, from its arguments to its exit code. */
import { SettingError } from '@cumulet/common/config/settings';
import { trustAuthorities } from '@cumulet/common/tls/tls';
import type { Environment } from '../config.js';
import { readArguments, COMMON_OPTIONS } from './arguments.js';
import type { CommandScope, Command, OptionSpec } from './command.js';
import { CommandError, UsageError } from './command-error.js';
import { loadCliConfig } from './config.js';
import { findActor } from './identity/actor.js';
import { accessKeyUnbound } from './commands/access-key-unbound.command.js';
import { bucketUsage } from './commands/bucket-usage.command.js';
import { destroy } from './commands/destroy.command.js';
import { projectCreate } from './commands/project-create.command.js';

export type Terminal = Omit<CommandScope, 'findActor'>;

/**
 * @param env where settings come from
 * @returns 0; 1 if the command failed; 2 if its arguments are wrong
 * @throws Error for our own mistakes
 */
export async function runCumulet(
  argv: readonly string[],
  env: Environment,
  terminal: Terminal,
): Promise<0 | 1 | 2> {
  try {
    const request = readArguments(argv, COMMANDS);
    if (request.kind === 'help') {
      await terminal.print(request.command ? helpOf(request.command) : overview(COMMANDS));
      return 0;
    }
    const perform = request.command.prepare(request.args);
    const config = loadCliConfig(env);
    trustAuthorities(config.authorities);
    await perform({ ...terminal, findActor: () => findActor(config, request.cloud) });
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof SettingError)) throw error;
    const isUsage = error instanceof UsageError;
    const hint = isUsage ? ' (cumulet --help)' : '';
    terminal.say(`cumulet: ${oneLine(error.message)}${hint}`);
    return isUsage ? 2 : 1;
  }
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

/** All commands of `cumulet`. */
const COMMANDS: readonly Command[] = [accessKeyUnbound, bucketUsage, destroy, projectCreate];

const WHO_ACTS = [
  'Who acts: the entry that --cloud or OS_CLOUD names, in the file OS_CLIENT_CONFIG_FILE, or else in',
  './clouds.yaml, ~/.config/openstack/clouds.yaml, /etc/openstack/clouds.yaml or the clouds.yaml of',
  'CUMULET_DATA_DIR; without a name, what OS_AUTH_URL, OS_USERNAME and so on say; without these, the',
  'administrator (cumulet-admin) of the cloud in CUMULET_DATA_DIR.',
];

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => callOf(command).length));
  return [
    'Usage: cumulet COMMAND [OPTION...]',
    '',
    'Commands:',
    ...commands.map((command) => `  ${callOf(command).padEnd(width)}  ${command.summary}`),
    '',
    'cumulet COMMAND --help says more.',
    '',
    ...WHO_ACTS,
    '',
  ].join('\n');
}

function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  const width = Math.max(...options.map((option) => flagOf(...option).length));
  return [
    `Usage: cumulet ${callOf(command)} [OPTION...]`,
    '',
    ...command.details,
    '',
    'Options:',
    ...options.map(([name, spec]) => `  ${flagOf(name, spec).padEnd(width)}  ${spec.about}`),
    '',
    ...WHO_ACTS,
    '',
  ].join('\n');
}

function callOf({ words, operands }: Command): string {
  return [...words, ...operands].join(' ');
}

function flagOf(name: string, { value }: OptionSpec): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
