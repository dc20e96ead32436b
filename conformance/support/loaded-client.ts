/** The process that has a stock client loaded, and runs its commands one after another. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { programEnvironment, type CommandResult } from './run-program.js';

const SCRIPT = fileURLToPath(new URL('loaded-client.py', import.meta.url));

export interface ClientCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file that it reads from its standard input; a terminal where there is none. */
  readonly input: string | undefined;
}

export class LoadedClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: ((result: CommandResult) => void)[] = [];
  /** What every command comes to once the process is gone. */
  readonly #gone: Promise<CommandResult>;

  /** @param python of the environment that the client is installed in */
  constructor(python: string, program: 'openstack' | 'glance') {
    let errors = '';
    this.#child = spawn(python, [SCRIPT, program], { env: programEnvironment({}) });
    this.#child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    this.#gone = once(this.#child, 'close').then(() => ({
      exitCode: -1,
      stdout: '',
      stderr: `the client is gone\n${errors}`,
    }));
    // Written to a process that is gone: the command learns of it by that.
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

  /** Ends it, whatever it is at. */
  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }
}
