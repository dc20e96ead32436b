import {
  ProgramMissingError,
  runLimited as runWithLimits,
  runProgram as run,
  type ProgramLimits,
  type ProgramOptions,
  type ProgramResult,
} from '@cumulet/common/programs/run-program';
import { HypervisorError } from '../hypervisor-error.js';

/** Throws `missing-program` if `program` cannot be run; its own failure is in the result. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  return run(program, args, options).catch(rethrown);
}

/** As `runProgram`, within limits if prlimit is installed. */
export function runLimited(
  prlimit: string | undefined,
  limits: ProgramLimits,
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  return runWithLimits(prlimit, limits, program, args, options).catch(rethrown);
}

function rethrown(error: unknown): never {
  if (!(error instanceof ProgramMissingError)) throw error;
  throw new HypervisorError('missing-program', 'A program of the host is missing.', error);
}
