/** The stock `openstack` client, from the package registry. */
import { LoadedClient } from './loaded-client.js';
import { PythonEnvironment } from './python-environment.js';
import { StockClient, type StockClientOptions } from './stock-client.js';

export class OpenStackClient extends StockClient {
  private constructor(loaded: LoadedClient, options: StockClientOptions) {
    super(loaded, 'openstack', options);
  }

  /**
   * Installs the client if it is missing, or not in the wanted version.
   * @param cloudsYaml the file that the cloud wrote
   * @param cloud the entry in it
   */
  static async install(cloudsYaml: string, cloud: string): Promise<OpenStackClient> {
    const environment = await PythonEnvironment.install('openstack-client');
    const loaded = LoadedClient.of(environment.program('python'), 'openstack');
    return new OpenStackClient(loaded, { env: entryOf(cloudsYaml, cloud) });
  }

  /** The same client for another user: another entry of a clouds.yaml. */
  entry(cloudsYaml: string, cloud: string): OpenStackClient {
    return this.with(entryOf(cloudsYaml, cloud));
  }

  /** The same client with only these variables to find the cloud. */
  with(env: Readonly<Record<string, string>>): OpenStackClient {
    return new OpenStackClient(this.loaded, { ...this.options, env });
  }

  /** The same client, whose commands read this file from their standard input. */
  reading(input: string): OpenStackClient {
    return new OpenStackClient(this.loaded, { ...this.options, input });
  }

  /**
   * Runs `openstack <args> -f json`.
   * @throws Error with what the client said, unless it exits with 0
   */
  async json<T>(...args: string[]): Promise<T> {
    const output = await this.text(...args, '-f', 'json');
    // A command that waits writes this before, and writes over it.
    return JSON.parse(output.replaceAll(/\rProgress: \d+/g, '')) as T;
  }
}

function entryOf(cloudsYaml: string, cloud: string): Record<string, string> {
  return { OS_CLIENT_CONFIG_FILE: cloudsYaml, OS_CLOUD: cloud };
}
