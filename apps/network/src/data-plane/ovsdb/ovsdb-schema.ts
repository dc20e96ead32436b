/**
 * The column types of a database, and conversion between wire and process: a set becomes an array,
 * a map an object, and a reference the text of its UUID. Public source: RFC 7047, sections 3.2 and
 * 5.1.
 */

export type Scalar = string | number | boolean;
export type Value = Scalar | readonly Scalar[] | Readonly<Record<string, string>>;
export type Row = Readonly<Record<string, Value>>;

type WireAtom = Scalar | readonly ['uuid', string];
type WireValue =
  | WireAtom
  | readonly ['set', readonly WireAtom[]]
  | readonly ['map', readonly (readonly [WireAtom, WireAtom])[]];
export type WireRow = Readonly<Record<string, WireValue>>;

interface WireType {
  readonly key: string | { readonly type: string };
  readonly value?: string | { readonly type: string };
  readonly min?: number;
  readonly max?: number | 'unlimited';
}

export interface WireSchema {
  readonly tables: Readonly<
    Record<
      string,
      { readonly columns: Readonly<Record<string, { readonly type: string | WireType }>> }
    >
  >;
}

/** The default values of scalars. */
const UNSET: Readonly<Record<string, Scalar>> = { integer: 0, real: 0, boolean: false };

export interface ColumnType {
  /** An optional is a set of at most one. */
  readonly shape: 'scalar' | 'optional' | 'set' | 'map';
  /** `string`, `integer`, `uuid`; for a map, that of its values, which are converted to text. */
  readonly atom: string;
}

export class OvsdbSchema {
  /** @param schema the answer of `get_schema` */
  constructor(private readonly schema: WireSchema) {}

  /** @throws Error for a column that the database does not have */
  typeOf(table: string, column: string): ColumnType {
    const type = this.schema.tables[table]?.columns[column]?.type;
    if (type === undefined) throw new Error(`The database has no column ${table}.${column}.`);
    if (typeof type === 'string') return { shape: 'scalar', atom: type };
    const { key, value, min = 1, max = 1 } = type;
    const atom = typeof key === 'string' ? key : key.type;
    if (value !== undefined)
      return { shape: 'map', atom: typeof value === 'string' ? value : value.type };
    const single = min === 1 ? 'scalar' : 'optional';
    return { shape: max === 1 ? single : 'set', atom };
  }

  unset(table: string, columns: readonly string[]): Row {
    return Object.fromEntries(
      columns.map((column) => {
        const { shape, atom } = this.typeOf(table, column);
        return [column, { scalar: UNSET[atom] ?? '', optional: [], set: [], map: {} }[shape]];
      }),
    );
  }

  encode(table: string, row: Row): WireRow {
    return Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        encodeValue(this.typeOf(table, column), value),
      ]),
    );
  }

  decode(table: string, row: WireRow): Row {
    return Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        decodeValue(this.typeOf(table, column), value),
      ]),
    );
  }

  /** Applies the changes of an `update2` notification to a row. */
  patch(table: string, before: Row, changes: WireRow): Row {
    const patched = Object.entries(this.decode(table, changes)).map(([column, change]) => [
      column,
      patchValue(this.typeOf(table, column), before[column], change),
    ]);
    return { ...before, ...(Object.fromEntries(patched) as Row) };
  }
}

function encodeValue({ shape, atom: type }: ColumnType, value: Value): WireValue {
  const atom = (one: Scalar): WireAtom => (type === 'uuid' ? ['uuid', String(one)] : one);
  if (shape === 'scalar') return atom(value as Scalar);
  if (shape !== 'map') return ['set', (value as readonly Scalar[]).map(atom)];
  const pairs = Object.entries(value as Readonly<Record<string, string>>);
  return ['map', pairs.map(([key, one]) => [key, type === 'integer' ? Number(one) : one])];
}

function decodeValue({ shape }: ColumnType, value: WireValue): Value {
  if (shape === 'scalar') return decodeAtom(value as WireAtom);
  if (shape !== 'map') {
    const isSet = Array.isArray(value) && value[0] === 'set';
    return (isSet ? (value[1] as readonly WireAtom[]) : [value as WireAtom]).map(decodeAtom);
  }
  const [, pairs] = value as readonly ['map', readonly (readonly [WireAtom, WireAtom])[]];
  return Object.fromEntries(
    pairs.map(([key, one]) => [String(decodeAtom(key)), String(decodeAtom(one))]),
  );
}

function decodeAtom(atom: WireAtom): Scalar {
  return typeof atom === 'object' ? atom[1] : atom;
}

/**
 * For a set, a change lists the added and removed elements; for a map, the pairs that are added,
 * changed or removed; otherwise, it is the new value.
 */
function patchValue({ shape }: ColumnType, before: Value | undefined, change: Value): Value {
  if (shape === 'set') {
    const old = new Set(before as readonly Scalar[] | undefined);
    for (const one of change as readonly Scalar[]) if (!old.delete(one)) old.add(one);
    return [...old];
  }
  if (shape !== 'map') return change;
  const old = new Map(Object.entries((before ?? {}) as Readonly<Record<string, string>>));
  for (const [key, one] of Object.entries(change as Readonly<Record<string, string>>)) {
    if (old.get(key) === one) old.delete(key);
    else old.set(key, one);
  }
  return Object.fromEntries(old);
}

function isSet(value: Value): value is readonly Scalar[] {
  return Array.isArray(value);
}

/** Compares values; sets and maps are unordered. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value: Value): unknown {
  if (isSet(value)) return [...value].sort();
  if (typeof value !== 'object') return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
