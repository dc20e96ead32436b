import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import type { DomainError } from '@cumulet/common/errors/domain-error';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { pageOf, type ListOrder, type PageQuery } from '../http/page.js';
import { Endpoint } from './endpoint.entity.js';
import { UnknownReferenceError } from './endpoint.errors.js';

export type EndpointFields = Omit<Endpoint, 'createdAt' | 'settingUrl'>;

/** An endpoint as a setting makes it. */
export type SettingEndpoint = Pick<Endpoint, 'id' | 'serviceId' | 'regionId' | 'interface' | 'url'>;

export interface EndpointFilter {
  readonly interface?: string | undefined;
  readonly serviceId?: string | undefined;
  readonly regionId?: string | undefined;
  readonly inexact?: readonly InexactFilter[];
}

const COLUMNS = { interface: 'interface', service_id: 'service_id', region_id: 'region_id' };

const ORDER: ListOrder<Endpoint> = [
  { column: 'service_id', direction: 'asc', value: ({ serviceId }) => serviceId },
  { column: `COALESCE(region_id, '')`, direction: 'asc', value: ({ regionId }) => regionId ?? '' },
  { column: 'interface', direction: 'desc', value: (endpoint) => endpoint.interface },
  { column: 'id', direction: 'asc', value: ({ id }) => id },
];

@Injectable()
export class EndpointRepository {
  find(ctx: RequestContext, id: string): Promise<Endpoint | undefined> {
    return selectRow(ctx.manager, Endpoint, 'WHERE id = $1', [id]);
  }

  /** Locks the row until the transaction's end. */
  findForUpdate(tx: RequestContext, id: string): Promise<Endpoint | undefined> {
    return selectRow(tx.manager, Endpoint, 'WHERE id = $1 FOR UPDATE', [id]);
  }

  /** @throws MarkerNotFoundError */
  async list(ctx: RequestContext, filter: EndpointFilter, query: PageQuery): Promise<Endpoint[]> {
    const inexact = inexactMatch(filter.inexact, COLUMNS, 4);
    const page = await pageOf(query, ORDER, (id) => this.find(ctx, id), inexact.next);
    return selectRows(
      ctx.manager,
      Endpoint,
      `WHERE ($1::text IS NULL OR interface = $1) AND ($2::text IS NULL OR service_id = $2)
         AND ($3::text IS NULL OR region_id = $3)
         AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [filter.interface, filter.serviceId, filter.regionId, ...inexact.params, ...page.params],
    );
  }

  /** @throws UnknownReferenceError */
  async insert(ctx: RequestContext, endpoint: EndpointFields): Promise<void> {
    await orRefused(
      ctx.manager.query(
        `INSERT INTO endpoints (id, service_id, region_id, interface, url, enabled, extra)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        columns(endpoint),
      ),
      refusals(endpoint),
    );
  }

  /** @throws UnknownReferenceError */
  async save(ctx: RequestContext, endpoint: EndpointFields): Promise<void> {
    await orRefused(
      ctx.manager.query(
        `UPDATE endpoints SET service_id = $2, region_id = $3, interface = $4, url = $5,
                enabled = $6, extra = $7
          WHERE id = $1`,
        columns(endpoint),
      ),
      refusals(endpoint),
    );
  }

  /** @returns whether there was one */
  async delete(ctx: RequestContext, id: string): Promise<boolean> {
    const [, count]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM endpoints WHERE id = $1',
      [id],
    );
    return count > 0;
  }

  /**
   * Makes these endpoints, and gives those that are there the URL of their setting where it is not
   * the one that they were last made from.
   */
  async ensure(ctx: RequestContext, endpoints: readonly SettingEndpoint[]): Promise<void> {
    const column = (field: keyof SettingEndpoint): (string | null)[] =>
      endpoints.map((endpoint) => endpoint[field]);
    await ctx.manager.query(
      `INSERT INTO endpoints (id, service_id, region_id, interface, url, setting_url)
       SELECT id, service_id, region_id, interface, url, url
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
           AS settings (id, service_id, region_id, interface, url)
       ON CONFLICT (id) DO UPDATE SET url = excluded.url, setting_url = excluded.setting_url
        WHERE endpoints.setting_url IS DISTINCT FROM excluded.setting_url`,
      [column('id'), column('serviceId'), column('regionId'), column('interface'), column('url')],
    );
  }

  /** Removes the endpoints that a setting made, but for these. */
  async deleteSettingsBut(ctx: RequestContext, ids: readonly string[]): Promise<void> {
    await ctx.manager.query(
      'DELETE FROM endpoints WHERE setting_url IS NOT NULL AND id <> ALL($1)',
      [ids],
    );
  }
}

function columns(endpoint: EndpointFields): unknown[] {
  const { id, serviceId, regionId, url, enabled, extra } = endpoint;
  return [id, serviceId, regionId, endpoint.interface, url, enabled, JSON.stringify(extra)];
}

function refusals({ serviceId, regionId }: EndpointFields): Record<string, () => DomainError> {
  return {
    endpoints_service_id_fkey: () => new UnknownReferenceError('service', serviceId),
    endpoints_region_id_fkey: () => new UnknownReferenceError('region', regionId),
  };
}
