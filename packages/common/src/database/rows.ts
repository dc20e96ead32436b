/**
 * Reads rows by SQL in the shape of their entity. Hot paths use this instead of TypeORM's query
 * builder, whose hydration costs more than the query.
 */
import { hash } from 'node:crypto';
import type pg from 'pg';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

export interface TableShape {
  /** `"servers"` */
  readonly table: string;
  /** `"servers"."image_id" AS "imageId", …`; a `@VirtualColumn` is its query. */
  readonly columns: string;
  /** The properties of the primary key. */
  readonly primaryKey: readonly string[];
  /** `"image_id"` for the property `imageId`. @throws Error if the entity has no such property */
  readonly columnOf: (property: string) => string;
  /** The expression to sort by: null sorts as the value that it stands for. */
  readonly sortColumnOf: (property: string) => string;
  /** The column's default; undefined if only Postgres can tell. */
  readonly defaultOf: (property: string) => unknown;
  readonly has: (property: string) => boolean;
  readonly isNullable: (property: string) => boolean;
  /** A property's value as a parameter: JSON as text, since pg treats lists as arrays. */
  readonly valueOf: (property: string, value: unknown) => unknown;
}

const NOTHING: Readonly<Record<string, string>> = {
  text: "''",
  timestamptz: "'-infinity'",
  boolean: 'false',
  uuid: "'00000000-0000-0000-0000-000000000000'",
};

const shapes = new WeakMap<object, Map<unknown, TableShape>>();

export function shapeOf(manager: EntityManager, entity: EntityTarget<ObjectLiteral>): TableShape {
  const known = shapes.get(manager.dataSource) ?? new Map<unknown, TableShape>();
  shapes.set(manager.dataSource, known);
  const found = known.get(entity);
  if (found) return found;
  const metadata = manager.dataSource.getMetadata(entity);
  const table = `"${metadata.tableName}"`;
  const columns = metadata.columns
    .filter((column) => column.isSelect)
    .map((column) => {
      const value = column.query ? `(${column.query(table)})` : `${table}."${column.databaseName}"`;
      return `${value} AS "${column.propertyName}"`;
    })
    .join(', ');
  const stored = metadata.columns.filter((column) => !column.isVirtualProperty);
  const byProperty = new Map(stored.map((column) => [column.propertyName, column]));
  const columnFor = (property: string): ColumnMetadata => {
    const column = byProperty.get(property);
    if (!column) throw new Error(`${metadata.name} has no property ${property}`);
    return column;
  };
  const columnOf = (property: string): string => `"${columnFor(property).databaseName}"`;
  const shape: TableShape = {
    table,
    columns,
    primaryKey: metadata.primaryColumns.map(({ propertyName }) => propertyName),
    columnOf,
    sortColumnOf: (property) => {
      const { isNullable, type } = columnFor(property);
      if (!isNullable) return columnOf(property);
      return `COALESCE(${columnOf(property)}, ${NOTHING[String(type)] ?? '0'})`;
    },
    has: (property) => byProperty.has(property),
    isNullable: (property) => columnFor(property).isNullable,
    defaultOf: (property) => {
      const value: unknown = columnFor(property).default;
      return typeof value === 'function' ? undefined : value;
    },
    valueOf: (property, value) =>
      columnFor(property).type === 'jsonb' && value !== null ? JSON.stringify(value) : value,
  };
  known.set(entity, shape);
  return shape;
}

/**
 * `SELECT <the entity's columns> FROM <its table> <tail>`.
 * @param tail SQL after the table's name, with `$1 …` for `params`
 */
export function selectRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  tail: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  return rowsOf(manager, { text: selectOf(manager, entity, tail), values: [...params] });
}

/** @param tail fixed text, as for `preparedRows` */
export async function selectRow<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  tail: string,
  params: readonly unknown[] = [],
): Promise<T | undefined> {
  return (await preparedRows<T>(manager, selectOf(manager, entity, tail), params))[0];
}

/**
 * Runs a statement that each connection parses and plans once, since planning costs more than a
 * lookup by key.
 * @param sql fixed text: connections keep every text that they have seen
 */
export function preparedRows<T extends ObjectLiteral>(
  manager: EntityManager,
  sql: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  return rowsOf(manager, { name: nameOf(sql), text: sql, values: [...params] });
}

/** Clients choose filters and sort keys, so the number of statements has to be bounded. */
const MAX_PREPARED_LISTS = 256;
const preparedLists = new Set<string>();

/** Rows of a list; its statement is prepared, up to a limit. */
export function listedRows<T extends ObjectLiteral>(
  manager: EntityManager,
  sql: string,
  params: readonly unknown[],
): Promise<T[]> {
  if (preparedLists.size < MAX_PREPARED_LISTS) preparedLists.add(sql);
  if (preparedLists.has(sql)) return preparedRows(manager, sql, params);
  return rowsOf(manager, { text: sql, values: [...params] });
}

/**
 * Runs a statement that depends on its parameters and is planned every time. Outside of
 * transactions it may use any connection, so it skips the query runner's bookkeeping.
 */
export async function rowsOf<T extends ObjectLiteral>(
  manager: EntityManager,
  statement: pg.QueryConfig,
): Promise<T[]> {
  const { queryRunner } = manager;
  const executor = queryRunner ? ((await queryRunner.connect()) as pg.ClientBase) : poolOf(manager);
  return (await executor.query<T>(statement)).rows;
}

function selectOf<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  tail: string,
): string {
  const { table, columns } = shapeOf(manager, entity);
  return `SELECT ${columns} FROM ${table} ${tail}`;
}

const names = new Map<string, string>();

/** Postgres truncates statement names at 63 bytes, so the text itself cannot be the name. */
function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = hash('sha256', sql, 'hex').slice(0, 32);
  names.set(sql, name);
  return name;
}

function poolOf(manager: EntityManager): pg.Pool {
  return (manager.dataSource.driver as unknown as { readonly master: pg.Pool }).master;
}
