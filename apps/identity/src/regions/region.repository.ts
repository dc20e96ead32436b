import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import type { DomainError } from '@cumulet/common/errors/domain-error';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { pageOf, type ListOrder, type PageQuery } from '../http/page.js';
import { Region } from './region.entity.js';
import { DuplicateRegionError, RegionInUseError, RegionNotFoundError } from './region.errors.js';

export type RegionFields = Omit<Region, 'createdAt'>;

export interface RegionFilter {
  readonly parentRegionId?: string | undefined;
  readonly inexact?: readonly InexactFilter[];
}

const COLUMNS = { parent_region_id: 'parent_region_id' };

const ORDER: ListOrder<Region> = [{ column: 'id', direction: 'asc', value: ({ id }) => id }];

@Injectable()
export class RegionRepository {
  find(ctx: RequestContext, id: string): Promise<Region | undefined> {
    return selectRow(ctx.manager, Region, 'WHERE id = $1', [id]);
  }

  /** Locks the row until the transaction's end. */
  findForUpdate(tx: RequestContext, id: string): Promise<Region | undefined> {
    return selectRow(tx.manager, Region, 'WHERE id = $1 FOR UPDATE', [id]);
  }

  /** @throws MarkerNotFoundError */
  async list(ctx: RequestContext, filter: RegionFilter, query: PageQuery): Promise<Region[]> {
    const inexact = inexactMatch(filter.inexact, COLUMNS, 2);
    const page = await pageOf(query, ORDER, (id) => this.find(ctx, id), inexact.next);
    return selectRows(
      ctx.manager,
      Region,
      `WHERE ($1::text IS NULL OR parent_region_id = $1)
         AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [filter.parentRegionId, ...inexact.params, ...page.params],
    );
  }

  /** Makes the region where there is none with this id. */
  async ensure(ctx: RequestContext, id: string): Promise<void> {
    await ctx.manager.query('INSERT INTO regions (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', [
      id,
    ]);
  }

  /**
   * @throws DuplicateRegionError
   * @throws RegionNotFoundError when there is no region of the parent's id
   */
  async insert(ctx: RequestContext, region: RegionFields): Promise<void> {
    await orRefused(
      ctx.manager.query(
        'INSERT INTO regions (id, parent_region_id, description, extra) VALUES ($1, $2, $3, $4)',
        columns(region),
      ),
      { ...withoutParent(region), regions_pkey: () => new DuplicateRegionError(region.id) },
    );
  }

  /** @throws RegionNotFoundError when there is no region of the parent's id */
  async save(ctx: RequestContext, region: RegionFields): Promise<void> {
    await orRefused(
      ctx.manager.query(
        'UPDATE regions SET parent_region_id = $2, description = $3, extra = $4 WHERE id = $1',
        columns(region),
      ),
      withoutParent(region),
    );
  }

  /** Whether `id` is `aboveId` itself or somewhere below it. */
  async isWithin(ctx: RequestContext, id: string, aboveId: string): Promise<boolean> {
    const rows: { within: boolean }[] = await ctx.manager.query(
      `WITH RECURSIVE above (id) AS (
         SELECT $1::text
         UNION SELECT parent_region_id FROM regions JOIN above USING (id)
       )
       SELECT EXISTS (SELECT FROM above WHERE id = $2) AS within`,
      [id, aboveId],
    );
    return rows[0]?.within === true;
  }

  /**
   * Removes a region with all those below it.
   * @returns whether there was one
   * @throws RegionInUseError when something stands in one of them
   */
  async delete(ctx: RequestContext, id: string): Promise<boolean> {
    const hasUsers = (users: string) => () => new RegionInUseError(id, users);
    const [, count] = await orRefused(
      ctx.manager.query<[unknown, number]>(
        `WITH RECURSIVE gone (id) AS (
           SELECT id FROM regions WHERE id = $1
           UNION SELECT regions.id FROM regions JOIN gone ON parent_region_id = gone.id
         )
         DELETE FROM regions WHERE id IN (SELECT id FROM gone)`,
        [id],
      ),
      {
        endpoints_region_id_fkey: hasUsers('endpoints'),
        registered_limits_region_id_fkey: hasUsers('registered limits'),
        regions_parent_region_id_fkey: hasUsers('a new region below it'),
      },
    );
    return count > 0;
  }
}

function columns({ id, parentRegionId, description, extra }: RegionFields): unknown[] {
  return [id, parentRegionId, description, JSON.stringify(extra)];
}

function withoutParent({ parentRegionId }: RegionFields): Record<string, () => DomainError> {
  return {
    regions_parent_region_id_fkey: () => new RegionNotFoundError(parentRegionId ?? ''),
  };
}
