/** The command `cumulet`, from its arguments to its exit code. */
import { SettingError } from '@cumulet/common/config/settings';
import type { Environment } from '../config.js';
import { readArguments } from './arguments.js';
import type { CommandScope } from './command.js';
import { CommandError, UsageError } from './command-error.js';
import { COMMANDS } from './commands.js';
import { loadCliConfig } from './config.js';
import { helpOf, overview } from './help.js';
import { findActor } from './identity/actor.js';

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
