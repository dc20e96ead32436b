/** The monitored rows, as of the server's last update. */
import { sameValue, type OvsdbSchema, type Row, type WireRow } from './ovsdb-schema.js';

/** A row of an `update2` notification; null if it was deleted. */
export interface RowUpdate {
  readonly initial?: WireRow;
  readonly insert?: WireRow;
  readonly modify?: WireRow;
  readonly delete?: WireRow | null;
}

export type TableUpdates = Readonly<Record<string, Readonly<Record<string, RowUpdate>>>>;

export interface RowChange {
  readonly table: string;
  readonly id: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

const NONE: ReadonlyMap<string, Row> = new Map();

export class OvsdbRows {
  #tables = new Map<string, Map<string, Row>>();
  #version = 0;

  /** @param followed the columns of each table */
  constructor(private readonly followed: Readonly<Record<string, readonly string[]>>) {}

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  of(table: string): ReadonlyMap<string, Row> {
    return this.#tables.get(table) ?? NONE;
  }

  find(table: string, id: string): Row | undefined {
    return this.#tables.get(table)?.get(id);
  }

  /** Replaces all rows. @returns the differences */
  replace(schema: OvsdbSchema, updates: TableUpdates): RowChange[] {
    const before = this.#tables;
    this.#tables = new Map();
    this.update(schema, updates);
    const names = new Set([...before.keys(), ...this.#tables.keys()]);
    return [...names].flatMap((table) =>
      differences(table, before.get(table) ?? NONE, this.of(table)),
    );
  }

  update(schema: OvsdbSchema, updates: TableUpdates): RowChange[] {
    this.#version++;
    return Object.entries(updates).flatMap(([table, rows]) => {
      const known = this.#tables.get(table) ?? new Map<string, Row>();
      this.#tables.set(table, known);
      return Object.entries(rows).map(([id, update]) => {
        const before = known.get(id);
        const after = this.#rowAfter(schema, table, before, update);
        if (after) known.set(id, after);
        else known.delete(id);
        return { table, id, before, after };
      });
    });
  }

  #rowAfter(
    schema: OvsdbSchema,
    table: string,
    before: Row | undefined,
    { initial, insert, modify }: RowUpdate,
  ): Row | undefined {
    const whole = initial ?? insert;
    if (!whole) return modify ? schema.patch(table, before ?? {}, modify) : undefined;
    // The server omits columns with default values.
    return { ...schema.unset(table, this.followed[table] ?? []), ...schema.decode(table, whole) };
  }
}

function differences(
  table: string,
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): RowChange[] {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids]
    .map((id) => ({ table, id, before: before.get(id), after: after.get(id) }))
    .filter((change) => !isSame(change.before, change.after));
}

function isSame(a: Row | undefined, b: Row | undefined): boolean {
  if (!a || !b) return a === b;
  const columns = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...columns].every((column) => sameValue(a[column], b[column]));
}
