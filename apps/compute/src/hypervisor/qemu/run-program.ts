/**
 * Runs a system program to its end: no shell, arguments as a list, an environment of its own (the
 * one of this process may hold secrets), bounded in time and output.
 */
import { execFile } from 'node:child_process';
import { HypervisorError, errorCode } from '../hypervisor-error.js';

export interface ProgramResult {
  /** undefined where the program was ended by a signal. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly timeoutMs: number;
  readonly input?: string;
}

/** What every program that this driver starts finds in its environment. */
export const PROGRAM_ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Throws `missing-program` where `program` cannot be run; its failing is in the result. */
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
      },
      (error, stdout, stderr) => {
        const code = errorCode(error);
        if (code === 'ENOENT' || code === 'EACCES') {
          reject(
            new HypervisorError('missing-program', 'A program of the host is missing.', error),
          );
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
