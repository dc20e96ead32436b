/**
 * A client of one database of an OVSDB server: its current rows, kept by a monitor, and
 * transactions. It reconnects until it is stopped, and then reads all rows again. Public source:
 * RFC 7047; `monitor_cond` and `update2`, ovsdb-server(7), section 4.1.
 *
 * Of a cluster's servers it uses the leader, which alone has all that was committed: it leaves a
 * server that is not, or no longer, connected to its cluster or its leader.
 *
 * Always holds: `rows` contains a transaction's changes before `transact` returns, since the server
 * sends updates before its answer.
 */
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { formatServers, serversAt, type OvsdbServer } from './ovsdb-address.js';
import { OvsdbConnection } from './ovsdb-connection.js';
import { OvsdbTransactionError, OvsdbUnavailableError } from './ovsdb.errors.js';
import { OvsdbRows, type RowChange, type TableUpdates } from './ovsdb-rows.js';
import { encodeOperation, type Operation } from './ovsdb-operation.js';
import { OvsdbSchema, type WireSchema } from './ovsdb-schema.js';
import { ServerStatus } from './server-status.js';

export interface OvsdbOptions {
  /** Of the server, or of the servers of a cluster: as in `ovsdb-address.ts`. */
  readonly address: string;
  /** Such as `OVN_Northbound`. */
  readonly database: string;
  /** The monitored columns by table. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

const MONITOR = 'rows';
const STATUS = 'status';
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
    // Any number of listeners may wait for the rows.
    this.#events.setMaxListeners(0);
  }

  /** Starts to connect; `ready` returns when the rows are there. */
  start(): void {
    void this.#connect();
  }

  stop(): void {
    this.#stopping.abort();
    this.#connection?.end();
  }

  /** Returns once all rows are there. @throws OvsdbUnavailableError if the signal is aborted */
  async ready(signal?: AbortSignal): Promise<void> {
    if (this.#schema) return;
    await once(this.#events, 'ready', signal ? { signal } : {}).catch(() => {
      throw new OvsdbUnavailableError(this.options.database, this.#lastFailure);
    });
  }

  /** @throws OvsdbUnavailableError while the rows may be outdated */
  assertReady(): void {
    if (!this.#connection)
      throw new OvsdbUnavailableError(this.options.database, this.#lastFailure);
  }

  /** Returns once the rows contain all earlier changes. @throws OvsdbUnavailableError */
  async catchUp(): Promise<void> {
    await this.transact([]);
  }

  /** @param listener called after each connection, once the rows are there */
  onConnect(listener: () => void): void {
    this.#events.on('ready', listener);
  }

  /** @returns a function that removes the listener */
  onChange(listener: (changes: readonly RowChange[]) => void): () => void {
    this.#events.on('changed', listener);
    return () => void this.#events.off('changed', listener);
  }

  /**
   * Atomic.
   * @returns the number of changed rows for each operation
   * @throws OvsdbTransactionError if the server refuses it
   * @throws OvsdbUnavailableError if the server cannot be reached; the transaction may have been
   * committed
   */
  async transact(operations: readonly Operation[]): Promise<readonly number[]> {
    const [schema, connection] = [this.#schema, this.#connection];
    const { database } = this.options;
    if (!schema || !connection) throw new OvsdbUnavailableError(database, this.#lastFailure);
    const params = [database, ...operations.map((one) => encodeOperation(schema, one))];
    const results = await connection.call('transact', params).catch((error: unknown) => {
      throw new OvsdbUnavailableError(database, error);
    });
    // An error of the whole transaction follows the results of the operations.
    for (const result of results as readonly (Result | null)[])
      if (result?.error !== undefined)
        throw new OvsdbTransactionError(result.error, result.details ?? '');
    return (results as readonly (Result | null)[]).map((result) => result?.count ?? 0);
  }

  async #connect(): Promise<void> {
    const { signal } = this.#stopping;
    for (let wait = RETRY_MS.first; !signal.aborted; wait = Math.min(wait * 2, RETRY_MS.max)) {
      try {
        await this.#openOne();
        return;
      } catch (error) {
        this.#lastFailure = error;
        await delay(wait, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** Names are resolved each time, so that a server is found at its new address. */
  async #openOne(): Promise<void> {
    let failure: unknown;
    for (const server of await serversAt(this.options.address)) {
      this.#stopping.signal.throwIfAborted();
      try {
        await this.#open(server);
        return;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #open(server: OvsdbServer): Promise<void> {
    const { database, tables } = this.options;
    const status = new ServerStatus(formatServers([server]), database);
    const at: { schema?: OvsdbSchema } = {};
    const connection = await OvsdbConnection.open(server, {
      notified: (method, [monitor, updates]) => {
        if (method !== 'update2') return;
        if (monitor === STATUS) {
          const fault = status.update(updates as TableUpdates);
          if (fault) connection.end(fault);
        } else if (at.schema) this.#tell(this.rows.update(at.schema, updates as TableUpdates));
      },
      closed: (reason) => {
        if (this.#connection === connection) this.#lose(reason);
      },
    });
    try {
      this.#stopping.signal.throwIfAborted();
      const asked = ServerStatus.monitor(STATUS);
      const [fault, answer] = await Promise.all([
        connection.call('monitor_cond', asked, (rows) => status.update(rows as TableUpdates)),
        connection.call('get_schema', [database]),
      ]);
      if (fault) throw fault;
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
