/**
 * Runs a system program to its end: no shell, arguments as a list, its own environment (this
 * process's may hold secrets), and limits on time and output and, optionally, on memory, processor
 * time and file size.
 */
import { execFile } from 'node:child_process';

export interface ProgramResult {
  /** undefined if a signal ended the program. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly timeoutMs: number;
  readonly input?: string;
  /** The working directory; by default that of this process. */
  readonly cwd?: string;
  /** The user to run as; by default that of this process. Others require root. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** Ends the program when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Resource limits; unlimited by default. */
export interface ProgramLimits {
  readonly memoryBytes?: number;
  readonly cpuSeconds?: number;
  /** The maximum size of any file that it writes. */
  readonly fileBytes?: number;
}

/** The program cannot be run: it is not installed or not executable. */
export class ProgramMissingError extends Error {
  override readonly name = 'ProgramMissingError';
}

/** The environment of every program. */
export const PROGRAM_ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** prlimit's own exit codes for a program that it cannot run. */
const CANNOT_EXECUTE = 126;
const NOT_FOUND = 127;

/** @throws ProgramMissingError; a program's own failure is in the result */
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
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        ...options.account,
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
    // A program that exits without reading its input is judged by its exit.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}

/** @param prlimit the path of prlimit; without it, only the time is limited */
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
