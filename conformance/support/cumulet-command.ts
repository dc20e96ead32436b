/** The command `cumulet`, as a person runs it: `npm run --silent cumulet -- <args>`. */
import { fileURLToPath } from 'node:url';
import type { RunningCloud } from './running-cloud.js';
import { runProgram, type CommandResult } from './run-program.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export function cumulet(cloud: RunningCloud, ...args: string[]): Promise<CommandResult> {
  return runProgram('npm', ['run', '--silent', 'cumulet', '--', ...args], {
    cwd: ROOT,
    env: { CUMULET_DATA_DIR: cloud.folder, NODE_OPTIONS: '' },
  });
}
