import { Injectable } from '@nestjs/common';
import type { DomainId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { byAge, pageOf, type PageQuery } from '../http/page.js';
import type { RegisteredLimit } from '../registered-limits/registered-limit.entity.js';
import { UnknownLimitReferenceError } from '../registered-limits/registered-limit.errors.js';
import type { Limit, LimitId } from './limit.entity.js';
import { DuplicateLimitError } from './limit.errors.js';
import { isVisible, type VisibleLimits } from './visible-limits.js';

/** A limit with what its registered limit says that it is of. */
export type LimitFields = Omit<Limit, 'registeredLimitId' | 'createdAt'> &
  Pick<RegisteredLimit, 'serviceId' | 'regionId' | 'resourceName'>;

export interface LimitRow extends LimitFields {
  /** Its own domain, or that of its project. */
  readonly ownerDomainId: DomainId;
  readonly createdAt: Date;
}

export interface LimitFilter {
  readonly serviceId?: string | undefined;
  readonly regionId?: string | undefined;
  readonly resourceName?: string | undefined;
  readonly projectId?: string | undefined;
  readonly domainId?: string | undefined;
  readonly inexact?: readonly InexactFilter[];
  readonly visible: VisibleLimits;
}

const SELECT = `
  SELECT limits.id, project_id AS "projectId", limits.domain_id AS "domainId",
         service_id AS "serviceId", region_id AS "regionId", resource_name AS "resourceName",
         resource_limit AS "resourceLimit", limits.description,
         limits.created_at AS "createdAt",
         COALESCE(limits.domain_id, projects.domain_id) AS "ownerDomainId"
    FROM limits JOIN registered_limits ON registered_limits.id = registered_limit_id
    LEFT JOIN projects ON projects.id = project_id`;

const COLUMNS = {
  service_id: 'service_id',
  region_id: 'region_id',
  resource_name: 'resource_name',
  project_id: 'project_id',
  domain_id: 'limits.domain_id',
};

@Injectable()
export class LimitRepository {
  async find(ctx: RequestContext, id: string): Promise<LimitRow | undefined> {
    const rows: LimitRow[] = await ctx.manager.query(`${SELECT} WHERE limits.id = $1`, [id]);
    return rows[0];
  }

  /** Locks the row until the transaction's end. */
  async findForUpdate(tx: RequestContext, id: string): Promise<LimitRow | undefined> {
    const rows: LimitRow[] = await tx.manager.query(
      `${SELECT} WHERE limits.id = $1 FOR UPDATE OF limits`,
      [id],
    );
    return rows[0];
  }

  /** @throws MarkerNotFoundError */
  async list(
    ctx: RequestContext,
    { visible, ...filter }: LimitFilter,
    query: PageQuery,
  ): Promise<LimitRow[]> {
    if (visible.kind === 'none') return [];
    const find = async (id: string): Promise<LimitRow | undefined> => {
      const limit = await this.find(ctx, id);
      return limit && isVisible(limit, visible) ? limit : undefined;
    };
    const inexact = inexactMatch(filter.inexact, COLUMNS, 8);
    const page = await pageOf(query, byAge<LimitRow>('limits'), find, inexact.next);
    return ctx.manager.query(
      `${SELECT}
        WHERE ($1::text IS NULL OR service_id = $1) AND ($2::text IS NULL OR region_id = $2)
          AND ($3::text IS NULL OR resource_name = $3) AND ($4::text IS NULL OR project_id = $4)
          AND ($5::text IS NULL OR limits.domain_id = $5)
          AND ($6::text IS NULL OR project_id = $6)
          AND ($7::text IS NULL OR COALESCE(limits.domain_id, projects.domain_id) = $7)
          AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [
        filter.serviceId,
        filter.regionId,
        filter.resourceName,
        filter.projectId,
        filter.domainId,
        visible.kind === 'project' ? visible.id : undefined,
        visible.kind === 'domain' ? visible.id : undefined,
        ...inexact.params,
        ...page.params,
      ],
    );
  }

  /**
   * Makes those of the limits that have a registered limit. It is kept from being changed into one
   * of something else meanwhile.
   * @returns their ids
   * @throws DuplicateLimitError
   * @throws UnknownLimitReferenceError
   */
  async insert(ctx: RequestContext, limits: readonly LimitFields[]): Promise<LimitId[]> {
    const column = <K extends keyof LimitFields>(field: K): LimitFields[K][] =>
      limits.map((limit) => limit[field]);
    const duplicate = (): DuplicateLimitError => new DuplicateLimitError(column('resourceName'));
    const rows = await orRefused(
      ctx.manager.query<{ id: LimitId }[]>(
        `INSERT INTO limits (id, registered_limit_id, project_id, domain_id, resource_limit,
                             description)
         SELECT new.id, registered_limits.id, new.project_id, new.domain_id, new.resource_limit,
                new.description
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                       $7::integer[], $8::text[])
             AS new (id, project_id, domain_id, service_id, region_id, resource_name,
                     resource_limit, description)
           JOIN registered_limits
             ON registered_limits.service_id = new.service_id
            AND registered_limits.region_id IS NOT DISTINCT FROM new.region_id
            AND registered_limits.resource_name = new.resource_name
            FOR KEY SHARE OF registered_limits
         RETURNING id`,
        [
          column('id'),
          column('projectId'),
          column('domainId'),
          column('serviceId'),
          column('regionId'),
          column('resourceName'),
          column('resourceLimit'),
          column('description'),
        ],
      ),
      {
        limits_project_key: duplicate,
        limits_domain_key: duplicate,
        limits_project_id_fkey: () =>
          new UnknownLimitReferenceError('project_id', column('projectId')),
        limits_domain_id_fkey: () =>
          new UnknownLimitReferenceError('domain_id', column('domainId')),
      },
    );
    return rows.map(({ id }) => id);
  }

  async save(
    ctx: RequestContext,
    { id, resourceLimit, description }: Pick<Limit, 'id' | 'resourceLimit' | 'description'>,
  ): Promise<void> {
    await ctx.manager.query(
      'UPDATE limits SET resource_limit = $2, description = $3 WHERE id = $1',
      [id, resourceLimit, description],
    );
  }

  /** @returns whether there was one */
  async delete(ctx: RequestContext, id: string): Promise<boolean> {
    const [, count]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM limits WHERE id = $1',
      [id],
    );
    return count > 0;
  }
}
