/**
 * Whether a server may be used for a database: any for one that is not clustered, and the leader of
 * a cluster. Public source: ovsdb-server(7), "Server Database"; ovsdb-server(5).
 */
import { OvsdbRows, type TableUpdates } from './ovsdb-rows.js';
import { OvsdbSchema } from './ovsdb-schema.js';

const COLUMNS = {
  name: { type: 'string' },
  model: { type: 'string' },
  connected: { type: 'boolean' },
  leader: { type: 'boolean' },
} as const;
const DATABASE = '_Server';
const TABLES = { Database: Object.keys(COLUMNS) };
const SCHEMA = new OvsdbSchema({ tables: { Database: { columns: COLUMNS } } });

export class ServerStatus {
  readonly #rows = new OvsdbRows(TABLES);

  constructor(
    private readonly address: string,
    private readonly database: string,
  ) {}

  /** Parameters of `monitor_cond`. */
  static monitor(name: string): readonly unknown[] {
    return [DATABASE, name, { Database: [{ columns: TABLES.Database }] }];
  }

  /** @returns why the server must not be used */
  update(updates: TableUpdates): Error | undefined {
    this.#rows.update(SCHEMA, updates);
    const databases = [...this.#rows.of('Database').values()];
    const row = databases.find(({ name }) => name === this.database);
    if (row?.['model'] !== 'clustered' || (row['connected'] === true && row['leader'] === true))
      return undefined;
    return new Error(`${this.address} does not lead the cluster of ${this.database}`);
  }
}
