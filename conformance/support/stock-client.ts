/** Common to the stock clients: commands either succeed or say why not. */
import type { LoadedClient } from './loaded-client.js';
import type { CommandResult } from './run-program.js';

export interface StockClientOptions {
  /** In addition to the tests' environment; all that it knows of the cloud. */
  readonly env: Readonly<Record<string, string>>;
  /** The file for its commands' standard input; a terminal if absent. */
  readonly input?: string;
}

export class StockClient {
  constructor(
    protected readonly loaded: LoadedClient,
    protected readonly program: 'openstack' | 'glance',
    protected readonly options: StockClientOptions,
  ) {}

  /** Runs `<program> <args>`; does not throw where the client fails. */
  async run(...args: string[]): Promise<CommandResult> {
    const { env, input } = this.options;
    return this.loaded.run({ args, env, input });
  }

  /** @throws Error with what the client said, unless it exits with 0 */
  async text(...args: string[]): Promise<string> {
    const result = await this.run(...args);
    if (result.exitCode !== 0) throw this.#unexpected(args, result);
    return result.stdout;
  }

  /**
   * Runs `<program> <args>`, which must fail.
   * @returns the client's message
   */
  async refusal(...args: string[]): Promise<string> {
    const result = await this.run(...args);
    if (result.exitCode !== 1) throw this.#unexpected(args, result);
    return result.stderr;
  }

  #unexpected(args: readonly string[], { exitCode, stdout, stderr }: CommandResult): Error {
    const command = [this.program, ...args].join(' ');
    return new Error(`${command} exited with ${exitCode}: ${stderr}${stdout}`);
  }
}
