/**
 * Lets a service's sealing key be replaced while it runs: texts of other keys are sealed anew under
 * the current one, and digests stay what they are. docs/keys.md has the order in which the
 * processes of a service change.
 *
 * Always holds: the row `signing` is sealed anew after all others, so a process that lacks a key
 * that rows may still need does not start.
 */
import type { Provider } from '@nestjs/common';
import type { Logger } from 'pino';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { SettingError } from '../config/settings.js';
import type { RequestContext } from '../context/request-context.js';
import type { Seal } from '../crypto/seal.js';
import { SealedJson } from '../crypto/sealed-json.js';
import { preparedRows, rowsOf } from '../database/rows.js';
import { BeforeStart, SweepEvery } from '../service/background.js';
import { LOGGER } from '../service/tokens.js';

@Entity('sealed_secrets')
export class SealedSecret {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sealed_secrets_pkey' })
  name: string;

  @Column('text')
  sealed: string;
}

/** The columns of a service that hold sealed texts, by table; other texts in them are left alone. */
export type SealedColumns = Readonly<Record<string, readonly [string, ...string[]]>>;

export interface ResealingOptions {
  /** `COMPUTE` of `COMPUTE_SECRET_KEY`. */
  readonly prefix: string;
  readonly columns: SealedColumns;
}

/** Rows that are read at once; a sealed text may have megabytes. */
const PAGE = 25;
const SIGNING = 'signing';

type Row = Readonly<Record<string, string | null>>;

interface Page {
  readonly table: string;
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
}

interface Outcome {
  resealed: number;
  /** `stack_resources 4f…`: no configured key opens them. */
  readonly damaged: string[];
}

export class Resealing {
  readonly #old: string;
  #signing = '';

  constructor(
    private readonly seal: Seal,
    private readonly logger: Logger,
    private readonly options: ResealingOptions,
  ) {
    this.#old = `${options.prefix}_OLD_SECRET_KEYS`;
  }

  /**
   * The first process of a service keeps what it signs with, for all that follow.
   * @throws SettingError if it is sealed under a key that is not configured
   */
  @BeforeStart()
  async adoptSigningKey({ manager }: RequestContext): Promise<void> {
    await preparedRows(
      manager,
      'INSERT INTO sealed_secrets (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [SIGNING, this.seal.seal(this.seal.signingKey)],
    );
    const [row] = await preparedRows<SealedSecret>(
      manager,
      'SELECT name, sealed FROM sealed_secrets WHERE name = $1',
      [SIGNING],
    );
    const key = row && this.#opened(row.sealed);
    if (key === undefined)
      throw new SettingError(
        `${this.options.prefix}_SECRET_KEY or ${this.#old} must have the key under which rows of the database are encrypted`,
      );
    this.seal.signWith((this.#signing = key));
  }

  /**
   * Seals texts of other keys under the current one. A row that changes meanwhile is left to the
   * next run.
   * @throws Error for texts that no key opens, after all others are done
   */
  @SweepEvery(60_000, 'sealed-columns')
  async renew(ctx: RequestContext, stopping?: AbortSignal): Promise<void> {
    if (!this.seal.hasOthers) return;
    const outcome: Outcome = { resealed: 0, damaged: [] };
    for (const [table, columns] of Object.entries(this.options.columns))
      await this.#renewTable(ctx.manager, table, columns, outcome, stopping);
    if (stopping?.aborted) return;
    if (outcome.resealed > 0) this.logger.info(outcome, 'sealed rows anew under the current key');
    else {
      await this.#renewSigningKey(ctx.manager);
      this.logger.info(`no row needs a key of ${this.#old}`);
    }
    if (outcome.damaged.length > 0)
      throw new Error(`no configured key opens these rows: ${outcome.damaged.join(', ')}`);
  }

  async #renewTable(
    manager: EntityManager,
    table: string,
    columns: readonly string[],
    outcome: Outcome,
    stopping: AbortSignal | undefined,
  ): Promise<void> {
    const page: Page = { table, columns, primaryKey: primaryKeyOf(manager, table) };
    let last: Row | undefined;
    do {
      const rows = await this.#read(manager, page, last);
      for (const row of rows) await this.#renewRow(manager, page, row, outcome);
      last = rows.length < PAGE ? undefined : rows.at(-1);
    } while (last && !stopping?.aborted);
  }

  #read(manager: EntityManager, page: Page, last: Row | undefined): Promise<Row[]> {
    const { table, columns, primaryKey } = page;
    const length = this.seal.currentPrefix.length;
    // `left` reads no more of a long text than it needs.
    const isOther = columns.map(
      (column) => `left(${column}, 3) IN ('v1.', 'v2.') AND left(${column}, ${length}) <> $1`,
    );
    const keys = last ? primaryKey.map((column) => last[column]) : [];
    const after = last
      ? `AND (${primaryKey.join(', ')}) > (${keys.map((_, at) => `$${at + 2}`).join(', ')})`
      : '';
    return rowsOf<Row>(manager, {
      text: `SELECT ${[...primaryKey, ...columns].join(', ')} FROM ${table}
              WHERE (${isOther.join(' OR ')}) ${after}
              ORDER BY ${primaryKey.join(', ')} LIMIT ${PAGE}`,
      values: [this.seal.currentPrefix, ...keys],
    });
  }

  async #renewRow(manager: EntityManager, page: Page, row: Row, outcome: Outcome): Promise<void> {
    const { table, columns, primaryKey } = page;
    const renewed = columns.flatMap((column) => {
      const before = row[column];
      if (before == null || !this.#isOther(before)) return [];
      const plain = this.#opened(before);
      if (plain !== undefined) return [{ column, before, after: this.seal.seal(plain) }];
      outcome.damaged.push([table, column, ...primaryKey.map((key) => row[key])].join(' '));
      return [];
    });
    if (renewed.length === 0) return;
    const values: (string | null | undefined)[] = [];
    const is = (column: string, value: string | null | undefined): string =>
      `${column} = $${values.push(value)}`;
    const set = renewed.map(({ column, after }) => is(column, after));
    const where = [
      ...primaryKey.map((column) => is(column, row[column])),
      ...renewed.map(({ column, before }) => is(column, before)),
    ];
    await rowsOf(manager, {
      text: `UPDATE ${table} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`,
      values,
    });
    outcome.resealed += 1;
  }

  async #renewSigningKey(manager: EntityManager): Promise<void> {
    await preparedRows(
      manager,
      'UPDATE sealed_secrets SET sealed = $2 WHERE name = $1 AND NOT starts_with(sealed, $3)',
      [SIGNING, this.seal.seal(this.#signing), this.seal.currentPrefix],
    );
  }

  #isOther(text: string): boolean {
    return /^v[12]\./.test(text) && !text.startsWith(this.seal.currentPrefix);
  }

  #opened(sealed: string): string | undefined {
    try {
      return this.seal.open(sealed);
    } catch {
      return undefined;
    }
  }
}

/** @param sealed the class by which the service seals its columns, which it provides */
export function resealing(
  sealed: typeof Seal | typeof SealedJson,
  options: ResealingOptions,
): Provider<Resealing> {
  return {
    provide: Resealing,
    inject: [sealed, LOGGER],
    useFactory: (one: Seal | SealedJson, logger: Logger) =>
      new Resealing(one instanceof SealedJson ? one.texts : one, logger, options),
  };
}

function primaryKeyOf({ dataSource }: EntityManager, table: string): readonly string[] {
  const metadata = dataSource.entityMetadatas.find(({ tableName }) => tableName === table);
  if (!metadata) throw new Error(`no table ${table}`);
  return metadata.primaryColumns.map(({ databaseName }) => databaseName);
}
