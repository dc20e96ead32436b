/** The process that has the stock client loaded, and runs its commands one after another. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { programEnvironment, type CommandResult } from './run-program.js';

const SCRIPT = fileURLToPath(new URL('loaded-client.py', import.meta.url));

export class LoadedClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: ((result: CommandResult) => void)[] = [];
  /** What every command comes to once the process is gone. */
  readonly #gone: Promise<CommandResult>;

  /** @param python of the environment that the client is installed in */
  constructor(python: string) {
    let errors = '';
    this.#child = spawn(python, [SCRIPT], { env: programEnvironment({}) });
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
  run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandResult> {
    const answer = new Promise<CommandResult>((resolve) => this.#waiting.push(resolve));
    this.#child.stdin.write(`${JSON.stringify({ args, env: programEnvironment(env) })}\n`);
    return Promise.race([answer, this.#gone]);
  }

  /** Ends it, whatever it is at. */
  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }
}
