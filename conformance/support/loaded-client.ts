/** A process that keeps a stock client loaded, and runs its commands one after another. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { programEnvironment, type CommandResult } from './run-program.js';

const SCRIPT = fileURLToPath(new URL('loaded-client.py', import.meta.url));

export interface ClientCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file for its standard input; a terminal if absent. */
  readonly input: string | undefined;
}

export class LoadedClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: ((result: CommandResult) => void)[] = [];
  /** The outcome of every command once the process is gone. */
  readonly #gone: Promise<CommandResult>;

  /** @param python of the environment in which the client is installed */
  constructor(python: string, program: 'openstack' | 'glance') {
    let errors = '';
    this.#child = spawn(python, [SCRIPT, program], { env: programEnvironment({}) });
    this.#child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    this.#gone = once(this.#child, 'close').then(() => ({
      exitCode: -1,
      stdout: '',
      stderr: `the client is gone\n${errors}`,
    }));
    // The process may be gone: the command then learns of it from its outcome.
    this.#child.stdin.on('error', () => undefined);
    createInterface(this.#child.stdout).on('line', (line) => {
      this.#waiting.shift()?.(JSON.parse(line) as CommandResult);
    });
  }

  /** Answers come in the order of the commands. */
  run({ args, env, input }: ClientCommand): Promise<CommandResult> {
    const answer = new Promise<CommandResult>((resolve) => this.#waiting.push(resolve));
    const command = { args, env: programEnvironment(env), input: input ?? null };
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
    return Promise.race([answer, this.#gone]);
  }

  /** Ends it, whatever it is doing. */
  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }
}
