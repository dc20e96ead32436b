import type { ObjectLiteral } from 'typeorm';
import { asId, type DomainId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError, notFound } from '@cumulet/common/errors/domain-error';
import { type Condition, equalsIfGiven } from '@cumulet/common/tables/condition';
import { snakeCase } from '@cumulet/common/tables/names';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { type PageOfRows, Table, type TableOptions } from '@cumulet/common/tables/table';
import { newId } from '../database/new-id.js';
import { domainOfCaller, scopeDomainOf } from '../policy/caller.js';
import { changedOptions, type Extra, type PageQuery, type ResourceDto } from './resource.dto.js';
import {
  DuplicateNameError,
  FixedPropertyError,
  NotFoundError,
  refuseEmpty,
  refuseImmutable,
  refuseOtherId,
} from './resource.errors.js';

const MAX_PAGE = 1_000;

export interface ResourceRow extends ObjectLiteral {
  readonly id: string;
  readonly extra?: Extra;
  readonly options?: object;
}

class MarkerNotFoundError extends notFound(
  (marker: unknown) => `Could not find marker: ${String(marker)}.`,
) {}

export interface ResourceTableOptions<Row> extends Partial<TableOptions<Row>> {
  /** Properties that cannot be changed; a change may repeat them. */
  readonly fixed?: readonly (keyof Row & string)[];
}

/** A table that reports missing rows in Keystone's words. */
export class ResourceTable<Row extends ResourceRow> extends Table<Row> {
  readonly #fixed: readonly (keyof Row & string)[];

  /** @param kind `registered limit` */
  constructor(
    entity: new () => Row,
    readonly kind: string,
    { fixed = [], ...options }: ResourceTableOptions<Row> = {},
  ) {
    super(entity, {
      missing: (key) => new NotFoundError(kind, typeof key === 'string' ? key : String(key.id)),
      missingMarker: (key) => new MarkerNotFoundError(key),
      ...options,
      refusals: { ...refusedByLimit(kind), ...options.refusals },
    });
    this.#fixed = fixed;
  }

  /** @param scope limits the list to what the caller may see. @throws MarkerNotFoundError */
  page(
    ctx: RequestContext,
    query: PageQuery,
    scope: readonly Condition[] = [],
  ): Promise<PageOfRows<Row>> {
    const page = pageOfQuery<Row>(query);
    const limit = page.limit === undefined ? undefined : Math.min(page.limit, MAX_PAGE);
    return this.list(ctx, { ...page, limit, scope });
  }

  /** Limits lists to what the caller may see. */
  visibleTo(_ctx: RequestContext): readonly Condition[] {
    return [];
  }

  newOf(ctx: RequestContext, dto: object): Partial<Row> {
    return this.changeOf(ctx, dto);
  }

  /** The columns of a body, whose options and further properties are merged into the present ones. */
  changeOf(ctx: RequestContext, dto: object, before?: Row): Partial<Row> {
    const { extra, options, id: _id, ...columns } = this.fromWire(ctx, dto);
    return {
      ...columns,
      ...(extra ? { extra: { ...before?.extra, ...extra } } : {}),
      ...(options ? { options: changedOptions(before?.options ?? {}, options) } : {}),
    } as Partial<Row>;
  }

  refuseFixed(before: Row, change: Partial<Row>): void {
    for (const property of this.#fixed) {
      if (change[property] === undefined || change[property] === before[property]) continue;
      throw new FixedPropertyError(`${this.kind.replaceAll(' ', '_')}.${snakeCase(property)}`);
    }
  }
}

/**
 * A table whose rows belong to a domain for good, with names that are unique in it. A token of a
 * domain sees the rows of that domain.
 */
export class OwnedTable<
  Row extends ResourceRow & { name: string; domainId: DomainId },
> extends ResourceTable<Row> {
  /** @param kind whose plural is the table's name: `user` */
  constructor(
    entity: new () => Row,
    kind: string,
    { refusals, ...options }: ResourceTableOptions<Row> = {},
  ) {
    super(entity, kind, {
      fixed: ['domainId'],
      refusals: {
        [`${kind}s_domain_name_key`]: (row) => new DuplicateNameError(kind, row),
        [`${kind}s_domain_id_fkey`]: ({ domainId = '' }) => new NotFoundError('domain', domainId),
        ...refusals,
      },
      ...options,
    });
  }

  override visibleTo(ctx: RequestContext): readonly Condition[] {
    return equalsIfGiven('domainId', scopeDomainOf(ctx));
  }

  /** In the caller's domain, unless the body names another. */
  override newOf(ctx: RequestContext, dto: object): Partial<Row> {
    return { domainId: asId<DomainId>(domainOfCaller(ctx)), ...super.newOf(ctx, dto) };
  }
}

/**
 * The operations of a plain resource, which subclasses override; `allow` sees every change before it
 * is written.
 * @typeParam Other a result that is not a row of the table: a domain, as a project
 */
export abstract class ResourceService<
  Row extends ResourceRow,
  Dto extends object = ResourceDto,
  Other extends ResourceRow = Row,
> {
  /** Whether a change may be empty, as for some resources of Keystone. */
  protected readonly mayChangeNothing: boolean = false;

  protected abstract readonly table: ResourceTable<Row>;

  /** @throws NotFoundError */
  get(ctx: RequestContext, id: string): Promise<Row> {
    return this.table.get(ctx, id);
  }

  /** A page of those that the caller may see. @throws MarkerNotFoundError */
  list(ctx: RequestContext, query: PageQuery): Promise<PageOfRows<Row>> {
    return this.table.page(ctx, query, this.table.visibleTo(ctx));
  }

  create(ctx: RequestContext, dto: Dto, id: string = newId()): Promise<Row | Other> {
    return this.table.insert(ctx, { ...this.table.newOf(ctx, dto), id });
  }

  /** All of them or none, in their order. */
  createAll(ctx: RequestContext, dtos: readonly Dto[]): Promise<(Row | Other)[]> {
    return inTransaction(ctx, async (tx) => {
      const rows: (Row | Other)[] = [];
      for (const dto of dtos) rows.push(await this.create(tx, dto));
      return rows;
    });
  }

  /**
   * @throws NotFoundError, OtherIdError, FixedPropertyError, ImmutableError
   * @throws InvalidInputError for an empty change
   */
  update(ctx: RequestContext, id: string, dto: Partial<Dto>): Promise<Row | Other> {
    if (!this.mayChangeNothing) refuseEmpty(this.table.kind, dto);
    refuseOtherId(this.table.kind, id, (dto as ResourceDto).id);
    return inTransaction(ctx, async (tx) => {
      const before = await this.table.lock(tx, id);
      const change = this.table.changeOf(tx, dto, before);
      this.table.refuseFixed(before, change);
      const { id: _id, extra, ...named }: ResourceDto & { readonly options?: object } = dto;
      refuseImmutable(this.table.kind, before, { ...named, ...extra });
      await this.allow?.(tx, before, change, dto);
      return this.table.update(tx, id, change, before);
    });
  }

  /** @throws NotFoundError */
  delete(ctx: RequestContext, id: string): Promise<void> {
    return this.table.delete(ctx, id);
  }

  /** Refuses a change by throwing. */
  protected allow?(
    tx: RequestContext,
    before: Row,
    change: Partial<Row>,
    dto: Partial<Dto>,
  ): Promise<void>;
}

/**
 * Limits per user, which triggers enforce (`database/migrations`). Public source: Keystone
 * configuration reference, `[credential] user_limit` and `[application_credential] user_limit`,
 * without limits by default; `CredentialLimitExceeded` in `keystone/exception.py`.
 */
const USER_LIMITS: Readonly<Record<string, { readonly table: string; readonly max: number }>> = {
  'access rule': { table: 'access_rules', max: 10_000 },
  'application credential': { table: 'application_credentials', max: 1_000 },
  credential: { table: 'credentials', max: 1_000 },
  trust: { table: 'trusts', max: 10_000 },
};

/** By the constraint that the trigger names. */
function refusedByLimit(kind: string): Readonly<Record<string, () => ForbiddenError>> {
  const limit = USER_LIMITS[kind];
  if (!limit) return {};
  const { table, max } = limit;
  const message = `Unable to create additional ${kind}s: the user has the maximum of ${max} already.`;
  return { [`${table}_user_limit`]: () => new ForbiddenError(message) };
}
