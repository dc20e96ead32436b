/** Runs other programs quietly, and keeps their output in case they fail. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, where every program is run. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An error whose message is one line for a person, after which a script ends. */
export class StepError extends Error {}

/** @returns `{ exitCode, output }`, -1 for a program that does not exist or that a signal ended */
export async function run(file, args, options = {}) {
  const { cwd = ROOT, env = {}, stdio = ['ignore', 'pipe', 'pipe'] } = options;
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => (output += text));
  }
  try {
    const [exitCode] = await once(child, 'close');
    return { exitCode: exitCode ?? -1, output };
  } catch (error) {
    return { exitCode: -1, output: error.message };
  }
}

/** Whether a program of that name is on the search path. */
export function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Announces a step, runs it, and completes the line with the time taken; on standard error, since
 * the following program's output may be needed by itself.
 * @param title e.g. `Building`
 * @param work returns what `run` does
 * @throws StepError after printing the output, if the exit code is not 0
 */
export async function step(title, work) {
  const start = performance.now();
  process.stderr.write(`${title} … `);
  const { exitCode, output } = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stderr.write(exitCode === 0 ? `${seconds} s\n` : `failed after ${seconds} s\n`);
  if (exitCode === 0) return;
  process.stderr.write(`${output.trimEnd()}\n`);
  throw new StepError(`${title} failed: see above`);
}

/** Runs a script's body; an expected failure ends it with one line and exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
