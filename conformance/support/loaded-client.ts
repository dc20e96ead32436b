/**
 * A process that keeps a stock client loaded, and runs its commands one after another. All files of tests in
 * this process have the same one, which ends with it.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
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
  static readonly #running = new Map<string, LoadedClient>();

  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: ((result: CommandResult) => void)[] = [];
  /** The outcome of every command once the process is gone. */
  readonly #gone: Promise<CommandResult>;

  /** @param python of the environment in which the client is installed */
  static of(python: string, program: 'openstack' | 'glance'): LoadedClient {
    const key = `${python} ${program}`;
    const found = LoadedClient.#running.get(key);
    if (found?.isRunning) return found;
    const made = new LoadedClient(python, program);
    LoadedClient.#running.set(key, made);
    return made;
  }

  private constructor(python: string, program: string) {
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
    this.#child.unref();
    for (const pipe of this.#pipes) pipe.unref();
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Answers come in the order of the commands. */
  async run({ args, env, input }: ClientCommand): Promise<CommandResult> {
    const answer = new Promise<CommandResult>((resolve) => this.#waiting.push(resolve));
    const command = { args, env: programEnvironment(env), input: input ?? null };
    for (const pipe of this.#pipes) pipe.ref();
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
    const result = await Promise.race([answer, this.#gone]);
    // A process whose tests have ended does not wait for it.
    if (this.#waiting.length === 0) for (const pipe of this.#pipes) pipe.unref();
    return result;
  }

  get #pipes(): Socket[] {
    return [this.#child.stdin, this.#child.stdout, this.#child.stderr] as unknown as Socket[];
  }
}
