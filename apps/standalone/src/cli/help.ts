/** What `--help` prints. */
import { COMMON_OPTIONS } from './arguments.js';
import type { Command, OptionSpec } from './command.js';

const WHO_ACTS = [
  'Who acts: the entry that --cloud or OS_CLOUD names, in the file OS_CLIENT_CONFIG_FILE, or else in',
  './clouds.yaml, ~/.config/openstack/clouds.yaml, /etc/openstack/clouds.yaml or the clouds.yaml of',
  'CUMULET_DATA_DIR; without a name, what OS_AUTH_URL, OS_USERNAME and so on say; without these, the',
  'administrator (cumulet-admin) of the cloud in CUMULET_DATA_DIR.',
];

export function overview(commands: readonly Command[]): string {
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

export function helpOf(command: Command): string {
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
