import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import type { DomainError } from '@cumulet/common/errors/domain-error';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { pageOf, type ListOrder, type PageQuery } from '../http/page.js';
import { RegisteredLimit } from './registered-limit.entity.js';
import {
  DuplicateRegisteredLimitError,
  RegisteredLimitInUseError,
  UnknownLimitReferenceError,
} from './registered-limit.errors.js';

export type RegisteredLimitFields = Omit<RegisteredLimit, 'createdAt'>;

export interface RegisteredLimitFilter {
  readonly serviceId?: string | undefined;
  readonly regionId?: string | undefined;
  readonly resourceName?: string | undefined;
  readonly inexact?: readonly InexactFilter[];
}

const COLUMNS = {
  service_id: 'service_id',
  region_id: 'region_id',
  resource_name: 'resource_name',
};

const ORDER: ListOrder<RegisteredLimit> = [
  { column: 'service_id', direction: 'asc', value: ({ serviceId }) => serviceId },
  { column: 'resource_name', direction: 'asc', value: ({ resourceName }) => resourceName },
  { column: `COALESCE(region_id, '')`, direction: 'asc', value: ({ regionId }) => regionId ?? '' },
  { column: 'id', direction: 'asc', value: ({ id }) => id },
];

@Injectable()
export class RegisteredLimitRepository {
  find(ctx: RequestContext, id: string): Promise<RegisteredLimit | undefined> {
    return selectRow(ctx.manager, RegisteredLimit, 'WHERE id = $1', [id]);
  }

  /** Locks the row until the transaction's end, for those too who want to make a limit of it. */
  findForUpdate(tx: RequestContext, id: string): Promise<RegisteredLimit | undefined> {
    return selectRow(tx.manager, RegisteredLimit, 'WHERE id = $1 FOR UPDATE', [id]);
  }

  /** @throws MarkerNotFoundError */
  async list(
    ctx: RequestContext,
    filter: RegisteredLimitFilter,
    query: PageQuery,
  ): Promise<RegisteredLimit[]> {
    const inexact = inexactMatch(filter.inexact, COLUMNS, 4);
    const page = await pageOf(query, ORDER, (id) => this.find(ctx, id), inexact.next);
    return selectRows(
      ctx.manager,
      RegisteredLimit,
      `WHERE ($1::text IS NULL OR service_id = $1) AND ($2::text IS NULL OR region_id = $2)
         AND ($3::text IS NULL OR resource_name = $3)
         AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [filter.serviceId, filter.regionId, filter.resourceName, ...inexact.params, ...page.params],
    );
  }

  /**
   * All of them or none.
   * @throws DuplicateRegisteredLimitError
   * @throws UnknownLimitReferenceError
   */
  async insert(ctx: RequestContext, limits: readonly RegisteredLimitFields[]): Promise<void> {
    await orRefused(
      ctx.manager.insert(RegisteredLimit, limits as RegisteredLimit[]),
      refusals(limits),
    );
  }

  /**
   * @throws DuplicateRegisteredLimitError
   * @throws UnknownLimitReferenceError
   */
  async save(ctx: RequestContext, limit: RegisteredLimitFields): Promise<void> {
    const { id, ...fields } = limit;
    await orRefused(ctx.manager.update(RegisteredLimit, id, fields), refusals([limit]));
  }

  async isInUse(ctx: RequestContext, id: string): Promise<boolean> {
    const rows: { used: boolean }[] = await ctx.manager.query(
      'SELECT EXISTS (SELECT FROM limits WHERE registered_limit_id = $1) AS used',
      [id],
    );
    return rows[0]?.used === true;
  }

  /**
   * @returns whether there was one
   * @throws RegisteredLimitInUseError
   */
  async delete(ctx: RequestContext, id: string): Promise<boolean> {
    const [, count] = await orRefused(
      ctx.manager.query<[unknown, number]>('DELETE FROM registered_limits WHERE id = $1', [id]),
      { limits_registered_limit_id_fkey: () => new RegisteredLimitInUseError(id) },
    );
    return count > 0;
  }
}

function refusals(limits: readonly RegisteredLimitFields[]): Record<string, () => DomainError> {
  const duplicate = (): DomainError =>
    new DuplicateRegisteredLimitError(limits.map(({ resourceName }) => resourceName));
  return {
    registered_limits_key: duplicate,
    registered_limits_region_key: duplicate,
    registered_limits_service_id_fkey: () =>
      new UnknownLimitReferenceError(
        'service_id',
        limits.map(({ serviceId }) => serviceId),
      ),
    registered_limits_region_id_fkey: () =>
      new UnknownLimitReferenceError(
        'region_id',
        limits.map(({ regionId }) => regionId),
      ),
  };
}
