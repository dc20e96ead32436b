import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { pageOf, type ListOrder, type PageQuery } from '../http/page.js';
import { Service, type ServiceId } from './service.entity.js';
import { ServiceInUseError } from './service.errors.js';

export type ServiceFields = Omit<Service, 'createdAt'>;

export interface ServiceFilter {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly inexact?: readonly InexactFilter[];
}

const COLUMNS = { type: 'type', name: 'name' };

const ORDER: ListOrder<Service> = [
  { column: 'type', direction: 'asc', value: ({ type }) => type },
  { column: 'name', direction: 'asc', value: ({ name }) => name },
  { column: 'id', direction: 'asc', value: ({ id }) => id },
];

@Injectable()
export class ServiceRepository {
  find(ctx: RequestContext, id: string): Promise<Service | undefined> {
    return selectRow(ctx.manager, Service, 'WHERE id = $1', [id]);
  }

  /** Locks the row until the transaction's end. */
  findForUpdate(tx: RequestContext, id: string): Promise<Service | undefined> {
    return selectRow(tx.manager, Service, 'WHERE id = $1 FOR UPDATE', [id]);
  }

  /** @throws MarkerNotFoundError */
  async list(ctx: RequestContext, filter: ServiceFilter, query: PageQuery): Promise<Service[]> {
    const inexact = inexactMatch(filter.inexact, COLUMNS, 3);
    const page = await pageOf(query, ORDER, (id) => this.find(ctx, id), inexact.next);
    return selectRows(
      ctx.manager,
      Service,
      `WHERE ($1::text IS NULL OR type = $1) AND ($2::text IS NULL OR name = $2)
         AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [filter.type, filter.name, ...inexact.params, ...page.params],
    );
  }

  async insert(ctx: RequestContext, service: ServiceFields): Promise<void> {
    await ctx.manager.query(
      `INSERT INTO services (id, type, name, description, enabled, extra)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      columns(service),
    );
  }

  async save(ctx: RequestContext, service: ServiceFields): Promise<void> {
    await ctx.manager.query(
      `UPDATE services SET type = $2, name = $3, description = $4, enabled = $5, extra = $6
        WHERE id = $1`,
      columns(service),
    );
  }

  /**
   * Removes a service with its endpoints.
   * @returns whether there was one
   * @throws ServiceInUseError
   */
  async delete(ctx: RequestContext, id: string): Promise<boolean> {
    const [, count] = await orRefused(
      ctx.manager.query<[unknown, number]>('DELETE FROM services WHERE id = $1', [id]),
      { registered_limits_service_id_fkey: () => new ServiceInUseError(id) },
    );
    return count > 0;
  }

  /** Makes those of the services that are not there. */
  async ensure(
    ctx: RequestContext,
    services: readonly Pick<Service, 'id' | 'type' | 'name'>[],
  ): Promise<void> {
    await ctx.manager.query(
      `INSERT INTO services (id, type, name)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT (id) DO NOTHING`,
      [
        services.map(({ id }) => id),
        services.map(({ type }) => type),
        services.map(({ name }) => name),
      ],
    );
  }

  /** Removes those of the services that have neither endpoints nor limits. */
  async deleteUnused(ctx: RequestContext, ids: readonly ServiceId[]): Promise<void> {
    await ctx.manager.query(
      `DELETE FROM services
        WHERE id = ANY($1)
          AND NOT EXISTS (SELECT FROM endpoints WHERE service_id = services.id)
          AND NOT EXISTS (SELECT FROM registered_limits WHERE service_id = services.id)`,
      [ids],
    );
  }
}

function columns({ id, type, name, description, enabled, extra }: ServiceFields): unknown[] {
  return [id, type, name, description, enabled, JSON.stringify(extra)];
}
