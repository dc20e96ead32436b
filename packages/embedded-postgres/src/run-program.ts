/**
 * Runs a program to its end, or to that of this process; without a shell, and without our
 * environment, which holds secrets.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** All that a program of ours is told: messages in English, times in UTC, the usual places. */
export const PROGRAM_ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

export interface ProgramResult {
  /** -1 where a signal ended it. */
  readonly exitCode: number;
  /** What it wrote to both outputs, trimmed. */
  readonly output: string;
}

export interface ProgramOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd?: string;
  /** An open file that the program finds as its descriptor 3. */
  readonly descriptor3?: number;
}

/**
 * @returns the exit code and all output, whatever the code
 * @throws the system error (`ENOENT`, `EACCES`) of a program that cannot be run at all
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { descriptor3, ...options }: ProgramOptions = {},
): Promise<ProgramResult> {
  const child = spawn(file, args, {
    cwd: '/',
    ...options,
    env: PROGRAM_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe', descriptor3 ?? 'ignore'],
  });
  const killOnExit = (): void => void child.kill();
  process.once('exit', killOnExit);
  const outputs = Promise.all(
    [child.stdout, child.stderr].map((each) => (each ? text(each) : Promise.resolve(''))),
  );
  const ended = once(child, 'close').finally(() => process.off('exit', killOnExit));
  const [exitCode] = (await ended) as [number | null];
  return { exitCode: exitCode ?? -1, output: (await outputs).join('').trim() };
}
