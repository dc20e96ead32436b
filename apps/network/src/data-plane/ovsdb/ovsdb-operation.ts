/** The operations of a transaction. Public source: RFC 7047, section 5.2. */
import type { WrittenText } from '../../languages/ovsdb-text.js';
import type { OvsdbSchema, Row } from './ovsdb-schema.js';

/** Values of a row: text must come from a module of `languages`. */
export type WrittenScalar = WrittenText | number | boolean;
export type WrittenValue =
  | WrittenScalar
  | readonly WrittenScalar[]
  | Readonly<Record<string, WrittenText>>;
export type WrittenRow = Readonly<Record<string, WrittenValue>>;

interface OnRow {
  readonly table: string;
  /** The row's UUID, which the client chooses. */
  readonly id: string;
}

export type Operation =
  /** Fails with `duplicate uuid` if the row exists. */
  | (OnRow & { readonly op: 'insert'; readonly row: WrittenRow })
  | (OnRow & { readonly op: 'update'; readonly row: WrittenRow })
  | (OnRow & { readonly op: 'delete' })
  | (OnRow & {
      readonly op: 'mutate';
      readonly column: string;
      readonly mutator: 'insert' | 'delete';
      readonly values: readonly WrittenScalar[];
    })
  | (OnRow & { readonly op: 'increment'; readonly column: string })
  /** Fails the transaction with `timed out` unless the row has these values; null for no row. */
  | (OnRow & { readonly op: 'expect'; readonly row: Row | null });

export function encodeOperation(schema: OvsdbSchema, operation: Operation): object {
  const { table, id } = operation;
  const where = [['_uuid', '==', ['uuid', id]]];
  switch (operation.op) {
    case 'insert':
      return { op: 'insert', table, uuid: id, row: schema.encode(table, operation.row) };
    case 'update':
      return { op: 'update', table, where, row: schema.encode(table, operation.row) };
    case 'delete':
      return { op: 'delete', table, where };
    case 'mutate': {
      const { column, mutator, values } = operation;
      const encoded = schema.encode(table, { [column]: values })[column];
      return { op: 'mutate', table, where, mutations: [[column, mutator, encoded]] };
    }
    case 'increment':
      return { op: 'mutate', table, where, mutations: [[operation.column, '+=', 1]] };
    case 'expect': {
      const { row } = operation;
      const columns = row === null ? ['_uuid'] : Object.keys(row);
      const rows = row === null ? [] : [schema.encode(table, row)];
      return { op: 'wait', table, where, columns, rows, until: '==', timeout: 0 };
    }
  }
}
