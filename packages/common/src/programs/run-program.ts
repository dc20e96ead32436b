/**
 * Runs a system program to its end: no shell, arguments as a list, an environment of its own (the
 * one of this process may hold secrets), bounded in time and output, and where that is asked for in
 * memory, processor time and the size of files.
 */
import { execFile } from 'node:child_process';

export interface ProgramResult {
  /** undefined where the program was ended by a signal. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly timeoutMs: number;
  readonly input?: string;
  /** Ends the program when it is aborted. */
  readonly signal?: AbortSignal;
}

/** What a program may take; each is left out where it may take all. */
export interface ProgramLimits {
  readonly memoryBytes?: number;
  readonly cpuSeconds?: number;
  /** The size of any file that it writes. */
  readonly fileBytes?: number;
}

/** The program cannot be run: it is not installed, or is no program. */
export class ProgramMissingError extends Error {
  override readonly name = 'ProgramMissingError';
}

/** What every program finds in its environment. */
export const PROGRAM_ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** prlimit's own exit codes for a program that it cannot run. */
const CANNOT_EXECUTE = 126;
const NOT_FOUND = 127;

/** @throws ProgramMissingError; how the program failed is in the result */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      {
        encoding: 'buffer',
        env: PROGRAM_ENVIRONMENT,
        timeout: options.timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
        ...(options.signal ? { signal: options.signal } : {}),
      },
      (error, stdout, stderr) => {
        const code = error?.code as unknown;
        if (code === 'ENOENT' || code === 'EACCES') {
          reject(new ProgramMissingError(`${program} cannot be run`, { cause: error }));
          return;
        }
        resolve({ exitCode: child.exitCode ?? undefined, stdout, stderr: stderr.toString() });
      },
    );
    // A program that ends before it has read its input is judged by how it ended.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}

/**
 * As `runProgram`, with limits.
 * @param prlimit the path of prlimit; where it is not installed, there are no limits but the time
 */
export async function runLimited(
  prlimit: string | undefined,
  limits: ProgramLimits,
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  if (prlimit === undefined) return runProgram(program, args, options);
  const { memoryBytes, cpuSeconds, fileBytes } = limits;
  const bounds = [
    ...(memoryBytes === undefined ? [] : [`--as=${memoryBytes}`]),
    ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`]),
    ...(fileBytes === undefined ? [] : [`--fsize=${fileBytes}`]),
  ];
  const result = await runProgram(prlimit, [...bounds, '--', program, ...args], options);
  if (result.exitCode === CANNOT_EXECUTE || result.exitCode === NOT_FOUND) {
    throw new ProgramMissingError(`${program} cannot be run`);
  }
  return result;
}
