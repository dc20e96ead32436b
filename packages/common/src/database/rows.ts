/**
 * Rows straight from SQL, in the shape of their entity. Hot reads use it in place of TypeORM's
 * query builder, whose hydration costs more than the query.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

interface TableShape {
  readonly table: string;
  readonly columns: string;
}

const shapes = new WeakMap<object, Map<unknown, TableShape>>();

/** `"servers"` and `"servers"."image_id" AS "imageId", …`, made once per entity. */
export function shapeOf(manager: EntityManager, entity: EntityTarget<ObjectLiteral>): TableShape {
  const known = shapes.get(manager.dataSource) ?? new Map<unknown, TableShape>();
  shapes.set(manager.dataSource, known);
  const found = known.get(entity);
  if (found) return found;
  const metadata = manager.dataSource.getMetadata(entity);
  const table = `"${metadata.tableName}"`;
  const columns = metadata.columns
    .filter((column) => column.isSelect)
    .map((column) => `${table}."${column.databaseName}" AS "${column.propertyName}"`)
    .join(', ');
  const shape = { table, columns };
  known.set(entity, shape);
  return shape;
}

/**
 * `SELECT <the entity's columns> FROM <its table> <tail>`.
 * @param tail SQL after the table's name, with `$1 …` for `params`
 */
export async function selectRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  tail: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  const sql = selectOf(manager, entity, tail);
  if (manager.queryRunner) return manager.query(sql, [...params]);
  // Outside of a transaction any connection will do, so the query runner's bookkeeping is left out.
  const { rows } = await poolOf(manager).query<T>(sql, [...params]);
  return rows;
}

/** @param tail fixed text, as of `preparedRows` */
export async function selectRow<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  tail: string,
  params: readonly unknown[] = [],
): Promise<T | undefined> {
  return (await preparedRows<T>(manager, selectOf(manager, entity, tail), params))[0];
}

/**
 * Rows of a statement that each connection parses and plans once: planning costs more than a row
 * found by its key.
 * @param sql fixed text: a connection keeps every text that it has met
 */
export async function preparedRows<T extends ObjectLiteral>(
  manager: EntityManager,
  sql: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  const { queryRunner } = manager;
  const executor = queryRunner ? ((await queryRunner.connect()) as pg.ClientBase) : poolOf(manager);
  const { rows } = await executor.query<T>({
    name: nameOf(sql),
    text: sql,
    values: [...params],
  });
  return rows;
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

/** Names of statements are cut off at 63 bytes, so the text itself cannot be one. */
function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
  names.set(sql, name);
  return name;
}

function poolOf(manager: EntityManager): pg.Pool {
  return (manager.dataSource.driver as unknown as { readonly master: pg.Pool }).master;
}
