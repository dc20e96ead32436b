/**
 * A database of an OVSDB server: its rows as they are now, kept by a monitor, and transactions. It
 * connects again for as long as it is not stopped, and then takes all rows anew. Public source: RFC
 * 7047; `monitor_cond` and `update2`, ovsdb-server(7), section 4.1.
 *
 * Always holds: what a transaction has changed is in `rows` before `transact` returns, since the
 * server sends updates before its answer.
 */
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { OvsdbConnection } from './ovsdb-connection.js';
import { OvsdbTransactionError, OvsdbUnavailableError } from './ovsdb.errors.js';
import { OvsdbRows, type RowChange, type TableUpdates } from './ovsdb-rows.js';
import { encodeOperation, type Operation } from './ovsdb-operation.js';
import { OvsdbSchema, type WireSchema } from './ovsdb-schema.js';

export interface OvsdbOptions {
  /** `unix:<path>` or `tcp:<host>:<port>` */
  readonly address: string;
  /** `OVN_Northbound` */
  readonly database: string;
  /** The tables to follow, with the columns. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

const MONITOR = 'rows';
const RETRY_MS = { first: 20, max: 1_000 };

interface Result {
  readonly error?: string;
  readonly details?: string;
  readonly count?: number;
}

export class OvsdbClient {
  readonly rows: OvsdbRows;
  readonly #events = new EventEmitter<{ changed: [readonly RowChange[]]; ready: [] }>();
  readonly #stopping = new AbortController();
  #connection: OvsdbConnection | undefined;
  #schema: OvsdbSchema | undefined;
  #lastFailure: unknown;

  constructor(private readonly options: OvsdbOptions) {
    this.rows = new OvsdbRows(options.tables);
    // Each may have a listener of its own that waits for the rows.
    this.#events.setMaxListeners(0);
  }

  /** Begins to connect; `ready` tells when the rows are there. */
  start(): void {
    void this.#connect();
  }

  stop(): void {
    this.#stopping.abort();
    this.#connection?.end();
  }

  /**
   * Returns once all rows are there.
   * @throws OvsdbUnavailableError if the signal is aborted before
   */
  async ready(signal?: AbortSignal): Promise<void> {
    if (this.#schema) return;
    await once(this.#events, 'ready', signal ? { signal } : {}).catch(() => {
      throw new OvsdbUnavailableError(this.options.database, this.#lastFailure);
    });
  }

  /** @throws OvsdbUnavailableError while the rows may be those of before */
  assertReady(): void {
    if (!this.#connection)
      throw new OvsdbUnavailableError(this.options.database, this.#lastFailure);
  }

  /** Returns once the rows have all that was changed before. @throws OvsdbUnavailableError */
  async catchUp(): Promise<void> {
    await this.transact([]);
  }

  /** @returns what ends the calls */
  onChange(listener: (changes: readonly RowChange[]) => void): () => void {
    this.#events.on('changed', listener);
    return () => void this.#events.off('changed', listener);
  }

  /**
   * Does all of it, or nothing.
   * @returns for each operation, how many rows it has changed
   * @throws OvsdbTransactionError if the server refuses it
   * @throws OvsdbUnavailableError if it cannot be reached; it may have done it then
   */
  async transact(operations: readonly Operation[]): Promise<readonly number[]> {
    const [schema, connection] = [this.#schema, this.#connection];
    const { database } = this.options;
    if (!schema || !connection) throw new OvsdbUnavailableError(database, this.#lastFailure);
    const params = [database, ...operations.map((one) => encodeOperation(schema, one))];
    const results = await connection.call('transact', params).catch((error: unknown) => {
      throw new OvsdbUnavailableError(database, error);
    });
    // A refusal of the whole stands behind the results of the operations.
    for (const result of results as readonly (Result | null)[])
      if (result?.error !== undefined)
        throw new OvsdbTransactionError(result.error, result.details ?? '');
    return (results as readonly (Result | null)[]).map((result) => result?.count ?? 0);
  }

  async #connect(): Promise<void> {
    const { signal } = this.#stopping;
    for (let wait = RETRY_MS.first; !signal.aborted; wait = Math.min(wait * 2, RETRY_MS.max)) {
      try {
        await this.#open();
        return;
      } catch (error) {
        this.#lastFailure = error;
        await delay(wait, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async #open(): Promise<void> {
    const { address, database, tables } = this.options;
    const at: { schema?: OvsdbSchema } = {};
    const connection = await OvsdbConnection.open(address, {
      told: (method, [, updates]) => {
        if (method !== 'update2' || !at.schema) return;
        this.#tell(this.rows.update(at.schema, updates as TableUpdates));
      },
      closed: (reason) => {
        if (this.#connection === connection) this.#lose(reason);
      },
    });
    try {
      this.#stopping.signal.throwIfAborted();
      const answer = await connection.call('get_schema', [database]);
      const schema = new OvsdbSchema(answer as WireSchema);
      at.schema = schema;
      const followed = Object.entries(tables).map(([name, columns]) => [name, [{ columns }]]);
      const monitor = [database, MONITOR, Object.fromEntries(followed)];
      const changes = await connection.call('monitor_cond', monitor, (initial) =>
        this.rows.replace(schema, initial as TableUpdates),
      );
      this.#stopping.signal.throwIfAborted();
      this.#connection = connection;
      this.#schema = schema;
      this.#events.emit('ready');
      this.#tell(changes);
    } catch (error) {
      connection.end();
      throw error;
    }
  }

  #lose(reason: Error): void {
    this.#connection = undefined;
    this.#schema = undefined;
    this.#lastFailure = reason;
    void this.#connect();
  }

  #tell(changes: readonly RowChange[]): void {
    if (changes.length > 0) this.#events.emit('changed', changes);
  }
}
