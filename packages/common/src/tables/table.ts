/**
 * Finds, locks, lists, inserts, updates and deletes rows, by the entity's metadata. A repository
 * extends it for other statements.
 *
 * Always holds: values reach SQL as parameters only, and a violated constraint becomes the error
 * listed under its name.
 */
import { availableParallelism } from 'node:os';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { FairTurns } from '../context/fair-turns.js';
import type { RequestContext } from '../context/request-context.js';
import { CoalescedReads } from '../database/coalesced-reads.js';
import { listedRows, preparedRows, rowsOf, shapeOf, type TableShape } from '../database/rows.js';
import { inTransaction } from '../database/transaction.js';
import { violatedConstraint } from '../database/violations.js';
import type { DomainError } from '../errors/domain-error.js';
import { bound, identifiedBy, rowOf, type Condition, type Key } from './condition.js';
import { orderOf, pageOf, type Page } from './page.js';
import { camelCase } from './names.js';

/** Below Postgres' limit of 16 bits per statement. */
const MAX_PARAMETERS = 60_000;

export interface TableOptions<Row> {
  /** The error for a row that does not exist. */
  readonly missing: (key: Key<Row>) => DomainError;
  /** The error for a missing marker; the same by default. */
  readonly missingMarker?: (key: Key<Row>) => DomainError;
  /** Errors by violated constraint. */
  readonly refusals?: Readonly<Record<string, (row: Partial<Row>) => DomainError>>;
  /**
   * Whether rows may be inserted that refer to a locked row. By default they wait, so that the
   * locker can rely on the existing ones.
   */
  readonly isReferredWhileLocked?: true;
  /** The property that holds the time of the last change. */
  readonly touched?: keyof Row & string;
}

export class Table<Row extends ObjectLiteral> {
  constructor(
    readonly entity: EntityTarget<Row>,
    protected readonly options: TableOptions<Row>,
  ) {}

  missing(key: Key<Row>): DomainError {
    return this.options.missing(key);
  }

  /** @param scope further conditions on the row */
  async find(
    ctx: RequestContext,
    key: Key<Row>,
    scope: readonly Condition[] = [],
  ): Promise<Row | undefined> {
    return (await this.select(ctx, [...identifiedBy(key), ...scope]))[0];
  }

  /** @throws the table's `missing` */
  async get(ctx: RequestContext, key: Key<Row>, scope: readonly Condition[] = []): Promise<Row> {
    const row = await this.find(ctx, key, scope);
    if (!row) throw this.options.missing(key);
    return row;
  }

  /** Locks the row until the transaction ends. @throws `missing` */
  async lock(tx: RequestContext, key: Key<Row>): Promise<Row> {
    const mode = this.options.isReferredWhileLocked ? 'FOR NO KEY UPDATE' : 'FOR UPDATE';
    const [row] = await this.select(tx, identifiedBy(key), mode);
    if (!row) throw this.options.missing(key);
    return row;
  }

  /** @param tail SQL after the conditions, such as an order */
  select(ctx: RequestContext, where: readonly Condition[], tail = ''): Promise<Row[]> {
    const shape = this.shape(ctx);
    const { where: condition, params } = bound(where, shape.columnOf);
    const sql = `SELECT ${shape.columns} FROM ${shape.table} WHERE ${condition} ${tail}`;
    return preparedRows(ctx.manager, sql, params);
  }

  async has(ctx: RequestContext, where: readonly Condition[]): Promise<boolean> {
    const shape = this.shape(ctx);
    const { where: condition, params } = bound(where, shape.columnOf);
    const sql = `SELECT FROM ${shape.table} WHERE ${condition} LIMIT 1`;
    return (await preparedRows(ctx.manager, sql, params)).length > 0;
  }

  /** @throws the table's `missingMarker` if the marker is missing or out of scope */
  async list(ctx: RequestContext, page: Page<Row>): Promise<PageOfRows<Row>> {
    const { where = [], scope = [], marker, markerScope = scope, limit, reverse = false } = page;
    if (marker !== undefined && !(await this.find(ctx, marker, markerScope)))
      throw (this.options.missingMarker ?? this.options.missing)(marker);
    if (limit === 0) return { rows: [], more: false };
    const shape = this.shape(ctx);
    const order = orderOf(page, shape);
    const after = marker === undefined ? [] : [pageOf(order, identifiedBy(marker), shape)];
    const { where: condition, params } = bound([...scope, ...where, ...after], shape.columnOf);
    const size = limit === undefined ? '' : ` LIMIT ${limit + 1}`;
    const skipped = page.offset ? ` OFFSET $${params.push(page.offset)}` : '';
    const tail = order.sql + size + skipped;
    const rows = `FROM ${shape.table} WHERE ${condition}`;
    const from = page.branches ? branched(page.branches, rows, tail, shape, params) : rows;
    const text = `SELECT ${shape.columns} ${from} ${tail}`;
    const found = await listed<Row>(ctx, text, params, page);
    const kept = limit === undefined ? found : found.slice(0, limit);
    return { rows: reverse ? kept.toReversed() : kept, more: kept.length < found.length };
  }

  async countOf(ctx: RequestContext, where: readonly Condition[]): Promise<number> {
    const shape = this.shape(ctx);
    const { where: condition, params } = bound(where, shape.columnOf);
    const text = `SELECT count(*)::int AS count FROM ${shape.table} WHERE ${condition}`;
    const [row] = await listed<{ count: number }>(ctx, text, params, {});
    return row?.count ?? 0;
  }

  /**
   * Omitted columns get their default.
   * @param options.refusals for this statement only
   * @returns the new row
   */
  async insert(
    ctx: RequestContext,
    row: Partial<Row>,
    { refusals = {} }: Pick<TableOptions<Row>, 'refusals'> = {},
  ): Promise<Row> {
    const [inserted] = await this.insertAll(ctx, [row], { refusals });
    return inserted as Row;
  }

  /**
   * Inserts all rows or none. All must have the same properties.
   * @param options.exceptTaken skips rows whose key is taken
   * @param options.refusals for this statement only
   * @returns the inserted rows
   */
  async insertAll(
    ctx: RequestContext,
    rows: readonly Partial<Row>[],
    { exceptTaken = false, refusals = {} }: InsertOptions<Row> = {},
  ): Promise<Row[]> {
    const [first] = rows;
    if (!first) return [];
    const shape = this.shape(ctx);
    const names = given(first);
    const most = Math.floor(MAX_PARAMETERS / Math.max(names.length, 1));
    if (rows.length > most) {
      return inTransaction(ctx, async (tx) => {
        const inserted: Row[] = [];
        for (let at = 0; at < rows.length; at += most)
          inserted.push(
            ...(await this.insertAll(tx, rows.slice(at, at + most), { exceptTaken, refusals })),
          );
        return inserted;
      });
    }
    const tuples = rows.map(
      (_, at) => `(${names.map((__, column) => `$${at * names.length + column + 1}`).join(', ')})`,
    );
    return this.write(
      ctx,
      first,
      `INSERT INTO ${shape.table} (${names.map(shape.columnOf).join(', ')})
       VALUES ${tuples.join(', ')}${exceptTaken ? ' ON CONFLICT DO NOTHING' : ''}
       RETURNING ${shape.columns}`,
      rows.flatMap((row) => names.map((name) => shape.valueOf(name, row[name]))),
      { isFixed: rows.length === 1, refusals },
    );
  }

  /**
   * Changes the named columns.
   * @param before the previous row, for errors
   * @returns the new row
   * @throws the table's `missing`
   */
  async update(
    ctx: RequestContext,
    key: Key<Row>,
    change: Partial<Row>,
    before?: Row,
  ): Promise<Row> {
    const shape = this.shape(ctx);
    const names = given(change);
    if (names.length === 0) return this.get(ctx, key);
    const { where, params } = bound(identifiedBy(key), shape.columnOf);
    // Not now(), the transaction's start, since it may have waited for another.
    const { touched } = this.options;
    const touch = touched ? [`${shape.columnOf(touched)} = clock_timestamp()`] : [];
    const sets = names.map((name, at) => `${shape.columnOf(name)} = $${params.length + at + 1}`);
    const [row] = await this.write(
      ctx,
      { ...before, ...change },
      `UPDATE ${shape.table}
          SET ${[...sets, ...touch].join(', ')}
        WHERE ${where} RETURNING ${shape.columns}`,
      [...params, ...names.map((name) => shape.valueOf(name, change[name]))],
    );
    if (!row) throw this.options.missing(key);
    return row;
  }

  /** @throws the table's `missing`, or the refusing constraint's error */
  async delete(ctx: RequestContext, key: Key<Row>): Promise<void> {
    const count = await this.deleteAll(ctx, identifiedBy(key), rowOf(key));
    if (count === 0) throw this.options.missing(key);
  }

  /**
   * @param row what is deleted, for errors
   * @returns how many rows were deleted
   */
  async deleteAll(
    ctx: RequestContext,
    conditions: readonly Condition[],
    row: Partial<Row> = {},
  ): Promise<number> {
    const shape = this.shape(ctx);
    const { where, params } = bound(conditions, shape.columnOf);
    const sql = `DELETE FROM ${shape.table} WHERE ${where} RETURNING 1`;
    return (await this.write(ctx, row, sql, params)).length;
  }

  /**
   * Runs a writing statement, with violations as domain errors.
   * @param row what is written, for errors
   * @param options.refusals for this statement only
   * @param options.isFixed whether connections may keep the prepared text
   */
  protected async write<T extends ObjectLiteral = Row>(
    ctx: RequestContext,
    row: Partial<Row>,
    sql: string,
    params: readonly unknown[],
    options: WriteOptions<Row> = {},
  ): Promise<T[]> {
    // A single statement, too, commits with the stored answer of its request.
    if (ctx.fields.held && !ctx.fields.held.manager)
      return inTransaction(ctx, (tx) => this.write(tx, row, sql, params, options));
    const { refusals = {}, isFixed = true } = options;
    try {
      if (isFixed) return await preparedRows<T>(ctx.manager, sql, params);
      return await rowsOf<T>(ctx.manager, { text: sql, values: [...params] });
    } catch (failure) {
      const known = { ...this.options.refusals, ...refusals };
      const refusal = known[violatedConstraint(failure) ?? ''];
      throw refusal ? refusal(row) : failure;
    }
  }

  /** The columns that a body names. */
  protected fromWire(ctx: RequestContext, dto: object): Partial<Row> {
    return fromWire<Row>(this.shape(ctx), dto);
  }

  protected shape({ manager }: RequestContext): TableShape {
    return shapeOf(manager, this.entity);
  }
}

/**
 * The first rows of each branch, by the name of the table.
 * @param rows `FROM … WHERE …` of all of them
 * @param tail their order and limit
 */
function branched(
  branches: readonly Condition[],
  rows: string,
  tail: string,
  { table, columnOf }: TableShape,
  params: unknown[],
): string {
  const parts = branches.map(
    (branch) => `(SELECT * ${rows} AND ${bound([branch], columnOf, params).where} ${tail})`,
  );
  // Without branches there are no rows.
  const union = parts.length === 0 ? `SELECT * ${rows} AND false` : parts.join(' UNION ALL ');
  return `FROM (${union}) AS ${table.split(' AS ').at(-1) ?? table}`;
}

interface InsertOptions<Row> extends Pick<TableOptions<Row>, 'refusals'> {
  readonly exceptTaken?: boolean;
}

interface WriteOptions<Row> extends Pick<TableOptions<Row>, 'refusals'> {
  readonly isFixed?: boolean;
}

export interface PageOfRows<Row> {
  /** Shared with other callers, so do not modify it. */
  readonly rows: readonly Row[];
  /** Whether more rows follow. */
  readonly more: boolean;
}

const MAX_LISTS = 4;

/**
 * Shared by all tables of the process: filters are the caller's, and some are slow. Waiting callers
 * hold no connection, and the last one of a small pool is left to others.
 */
const turns = new FairTurns({ shared: Math.max(2, availableParallelism()), alone: MAX_LISTS });

const equalLists = new WeakMap<EntityManager, CoalescedReads<ObjectLiteral[]>>();

/**
 * Combines equal lists that wait at the same time. Callers with a transaction read alone, since
 * they see their own changes, and must not wait for others who need a connection.
 */
async function listed<Row extends ObjectLiteral>(
  { manager, fields }: RequestContext,
  sql: string,
  params: readonly unknown[],
  { isPlannedAnew = false }: Pick<Page<Row>, 'isPlannedAnew'>,
): Promise<readonly Row[]> {
  const read = (): Promise<Row[]> =>
    isPlannedAnew
      ? rowsOf<Row>(manager, { text: sql, values: [...params] })
      : listedRows<Row>(manager, sql, params);
  if (manager.queryRunner?.isTransactionActive) return read();
  const equal = equalLists.get(manager) ?? new CoalescedReads();
  equalLists.set(manager, equal);
  const rows = await equal.read(JSON.stringify([sql, params]), () =>
    turns.run(fields.projectId ?? fields.userId, read),
  );
  return rows as Row[];
}

function given(row: object): string[] {
  return Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}

/**
 * The columns that a DTO names: `parent_region_id` is `parentRegionId`. Null resets a column to
 * null or, if it is not nullable, to its default. Skips undefined, and names that are not columns
 * (`links`).
 */
export function fromWire<Row>(shape: TableShape, dto: object): Partial<Row> {
  const columns = Object.entries(dto).flatMap(([name, value]: [string, unknown]) => {
    const property = camelCase(name);
    if (value === undefined || !shape.has(property)) return [];
    const taken = value === null && !shape.isNullable(property);
    return [[property, taken ? shape.defaultOf(property) : value] as const];
  });
  return Object.fromEntries(columns) as Partial<Row>;
}
