/** The stock `glance` client, from the package registry. All its output is tables. */
import { dirname } from 'node:path';
import { entryVariables, readCloudEntry } from './cloud-entry.js';
import { LoadedClient } from './loaded-client.js';
import { PythonEnvironment } from './python-environment.js';
import { StockClient, type StockClientOptions } from './stock-client.js';

export type TableRow = Readonly<Record<string, string>>;

export class GlanceClient extends StockClient {
  private constructor(
    private readonly environment: PythonEnvironment,
    loaded: LoadedClient,
    options: StockClientOptions,
  ) {
    super(loaded, 'glance', options);
  }

  /**
   * Installs the client if it is missing, or not in the wanted version.
   * @param cloudsYaml the file that the cloud wrote
   * @param cloud the entry in it
   */
  static async install(cloudsYaml: string, cloud: string): Promise<GlanceClient> {
    const environment = await PythonEnvironment.install('openstack-client');
    const loaded = LoadedClient.of(environment.program('python'), 'glance');
    return new GlanceClient(environment, loaded, { env: {} }).entry(cloudsYaml, cloud);
  }

  /** The same client for another user: another entry of a clouds.yaml. */
  async entry(cloudsYaml: string, cloud: string): Promise<GlanceClient> {
    const login = entryVariables(await readCloudEntry(this.environment, cloudsYaml, cloud));
    // It caches schemas in its home folder.
    const env = { ...login, HOME: dirname(cloudsYaml) };
    return new GlanceClient(this.environment, this.loaded, { ...this.options, env });
  }

  /** The rows of the table that a command prints, by column name. */
  async rows(...args: string[]): Promise<TableRow[]> {
    const [names = [], ...rows] = (await this.text(...args))
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').slice(1, -1))
      .map((cells) => cells.map((cell) => cell.trim()));
    return rows.map((cells) =>
      Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])),
    );
  }

  /** A command's table of one thing, by field; long values continue on lines without a name. */
  async fields(...args: string[]): Promise<TableRow> {
    const fields = new Map<string, string>();
    let name = '';
    for (const { Property = '', Value = '' } of await this.rows(...args)) {
      name = Property || name;
      fields.set(name, (fields.get(name) ?? '') + Value);
    }
    return Object.fromEntries(fields);
  }
}
