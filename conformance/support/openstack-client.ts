/** The stock `openstack` client, as the package registry has it. */
import { LoadedClient } from './loaded-client.js';
import { PythonEnvironment } from './python-environment.js';
import type { CommandResult } from './run-program.js';

export class OpenStackClient {
  private constructor(
    private readonly loaded: LoadedClient,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /**
   * Installs the client where it is not, or not in the wanted version.
   * @param cloudsYaml the file that the cloud wrote
   * @param cloud the entry in it
   */
  static async install(cloudsYaml: string, cloud: string): Promise<OpenStackClient> {
    const environment = await PythonEnvironment.install('openstack-client');
    const loaded = new LoadedClient(environment.program('python'));
    return new OpenStackClient(loaded, entryOf(cloudsYaml, cloud));
  }

  /** The same client for somebody else: another entry of a clouds.yaml. */
  entry(cloudsYaml: string, cloud: string): OpenStackClient {
    return this.with(entryOf(cloudsYaml, cloud));
  }

  /** The same client with other variables, which are all that it knows of the cloud. */
  with(env: Readonly<Record<string, string>>): OpenStackClient {
    return new OpenStackClient(this.loaded, env);
  }

  /** Ends it, and those that were made from it. */
  async close(): Promise<void> {
    await this.loaded.close();
  }

  /** Runs `openstack <args>`; does not throw where the client fails. */
  async run(...args: string[]): Promise<CommandResult> {
    return this.loaded.run(args, this.env);
  }

  /**
   * Runs `openstack <args> -f json`.
   * @throws Error with what the client said, unless it exits with 0
   */
  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.text(...args, '-f', 'json')) as T;
  }

  /** @throws Error with what the client said, unless it exits with 0 */
  async text(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(...args);
    if (exitCode !== 0)
      throw new Error(`openstack ${args.join(' ')} exited with ${exitCode}: ${stderr}${stdout}`);
    return stdout;
  }

  /**
   * Runs `openstack <args>`, which must fail.
   * @returns what the client says of it
   */
  async refusal(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(...args);
    if (exitCode === 1) return stderr;
    throw new Error(`openstack ${args.join(' ')} exited with ${exitCode}: ${stderr}${stdout}`);
  }
}

function entryOf(cloudsYaml: string, cloud: string): Record<string, string> {
  return { OS_CLIENT_CONFIG_FILE: cloudsYaml, OS_CLOUD: cloud };
}
