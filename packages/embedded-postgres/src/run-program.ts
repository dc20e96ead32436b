/**
 * Runs a program until it or this process ends; without a shell, and without our environment, which
 * holds secrets.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The whole environment of our programs: messages in English, times in UTC, the usual paths. */
export const PROGRAM_ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

export interface ProgramResult {
  /** -1 if a signal ended it. */
  readonly exitCode: number;
  /** Both outputs, trimmed. */
  readonly output: string;
}

export interface ProgramOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd?: string;
  /** An open file that the program gets as descriptor 3. */
  readonly descriptor3?: number;
}

/**
 * @returns the exit code and all output, whatever the code
 * @throws the system error (`ENOENT`, `EACCES`) if the program cannot be run at all
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
