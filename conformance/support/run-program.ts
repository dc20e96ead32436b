/** Runs a foreign program to its end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const OUTPUT_LIMIT = 64 * 1024 * 1024;

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** In addition to the tests' environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly limitMs?: number;
}

/** Does not throw if the program fails; -1 means that it could not run or was ended. */
export async function runProgram(
  file: string,
  args: readonly string[],
  { env = {}, cwd, limitMs = 120_000 }: RunOptions = {},
): Promise<CommandResult> {
  try {
    const { stdout, stderr } = await run(file, args, {
      timeout: limitMs,
      maxBuffer: OUTPUT_LIMIT,
      env: programEnvironment(env),
      ...(cwd === undefined ? {} : { cwd }),
    });
    return { exitCode: 0, stdout, stderr };
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { exitCode: typeof code === 'number' ? code : -1, stdout, stderr };
  }
}

/** @throws Error with the program's output, unless it exits with 0 */
export async function outputOf(
  file: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(file, args, options);
  if (exitCode !== 0)
    throw new Error(`${file} ${args.join(' ')} exited with ${exitCode}: ${stderr}${stdout}`);
  return stdout;
}

/** These variables and those of the tests, except any that describe a cloud. */
export function programEnvironment(
  env: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(OS|TEMPEST)_/.test(name));
  return { ...Object.fromEntries(own), ...env };
}
