/** Parses the command line into a command and its arguments. Pure. */
import { parseArgs } from 'node:util';
import type { Arguments, Command, OptionSpec } from './command.js';
import { UsageError } from './command-error.js';

/** Options that every command has. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  cloud: {
    type: 'string',
    value: 'ENTRY',
    about: 'the entry of clouds.yaml to act as',
  },
  help: { type: 'boolean', about: 'print this' },
};

export type Request =
  | { readonly kind: 'help'; readonly command: Command | undefined }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly args: Arguments;
      readonly cloud: string | undefined;
    };

/** @throws UsageError with one line that names what is unknown or missing */
export function readArguments(argv: readonly string[], commands: readonly Command[]): Request {
  const command = commands.find(({ words }) => words.every((word, at) => argv[at] === word));
  if (argv.some((arg) => arg === '--help' || arg === '-h')) return { kind: 'help', command };
  if (!command) throw new UsageError(unknownCommand(argv));
  const { values, positionals: operands } = parse(argv.slice(command.words.length), command);
  const { cloud, help: _, ...options } = values;
  checkOperands(operands, command);
  return {
    kind: 'run',
    command,
    args: { options, operands },
    cloud: typeof cloud === 'string' ? cloud : undefined,
  };
}

function parse(
  args: readonly string[],
  command: Command,
): {
  values: Record<string, string | boolean | string[] | undefined>;
  positionals: string[];
} {
  const specs = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  const options = Object.fromEntries(
    specs.map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
    });
    return { values: values as Record<string, string | boolean | string[]>, positionals };
  } catch (error) {
    throw new UsageError(firstSentence((error as Error).message));
  }
}

/** Node's explanations run to several sentences and lines. */
function firstSentence(message: string): string {
  return message.split(/\. |\.?\n/)[0] ?? message;
}

function checkOperands(given: readonly string[], { operands }: Command): void {
  const missing = operands[given.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  const extra = given[operands.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'`);
}

function unknownCommand(argv: readonly string[]): string {
  const end = argv.findIndex((arg) => arg.startsWith('-'));
  const words = argv.slice(0, end === -1 ? argv.length : end);
  return words.length === 0 ? 'A command is missing' : `Unknown command '${words.join(' ')}'`;
}
