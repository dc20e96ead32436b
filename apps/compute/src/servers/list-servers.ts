/** From the query of a list to a page of rows. Public source: Nova API reference, "List Servers". */
import { Injectable } from '@nestjs/common';
import { actsAcrossProjects, reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { hasSqlState } from '@cumulet/common/database/violations';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  BooleanField,
  CheckedField,
  IntegerField,
  StringField,
  UuidField,
} from '@cumulet/common/http/fields';
import { equals, equalsIfGiven, holds, oneOf } from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import type { Condition } from '@cumulet/common/tables/condition';
import { matchesPattern } from '@cumulet/common/tables/pattern';
import { pageOfQuery } from '@cumulet/common/tables/page';
import type { PageOfRows } from '@cumulet/common/tables/table';
import {
  isDeleted,
  ServerHistoryRepository,
} from '../deleted-servers/server-history.repository.js';
import { MAX_PAGE } from '../http/pages.js';
import { TimeField } from '../http/time-field.js';
import type { Server } from './server.entity.js';
import { ServerRepository } from './server.repository.js';
import { isDeletedStatus, statesOf } from './server-status.js';

@SortedBy(['-createdAt'], {
  created_at: 'createdAt',
  display_name: 'name',
  host: 'host',
  instance_type_id: { sql: `flavor->>'id'` },
  image_ref: 'imageId',
  launched_at: 'launchedAt',
  project_id: 'projectId',
  updated_at: 'updatedAt',
  user_id: 'userId',
  uuid: 'id',
  vm_state: 'state',
})
export class ListServersQuery {
  @IntegerField({ optional: true, fromText: true })
  limit?: number;

  @UuidField({ optional: true })
  marker?: string;

  @CheckedField(isTexts, 'must be names', { type: 'string' }, { optional: true })
  sort_key?: string | string[];

  @CheckedField(isDirections, 'must be asc or desc', { type: 'string' }, { optional: true })
  sort_dir?: string | string[];

  @BooleanField({ optional: true, fromText: true, bareIsTrue: true })
  all_tenants?: boolean;

  @FilteredBy((name: string) => (name === '' ? undefined : matchesPattern('name', name)))
  @StringField({ optional: true, min: 0, description: 'A regular expression.' })
  name?: string;

  /** A status that no server can have matches none, as in Nova. */
  @FilteredBy((status: string) =>
    isDeletedStatus(status) ? isDeleted : oneOf('state', statesOf(status)),
  )
  @StringField({ optional: true })
  status?: string;

  @FilteredBy((ref: string) => (bind) => `flavor->>'id' = ${bind(ref.split('/').at(-1))}`)
  @StringField({ optional: true })
  flavor?: string;

  @FilteredBy((ref: string) => (bind) => `image_id::text = ${bind(ref.split('/').at(-1))}`)
  @StringField({ optional: true })
  image?: string;

  @StringField({ optional: true })
  host?: string;

  @StringField({ optional: true })
  project_id?: string;

  @StringField({ optional: true })
  tenant_id?: string;

  @StringField({ optional: true })
  user_id?: string;

  @FilteredBy((id: string) => (bind) => `id::text = ${bind(id)}`)
  @StringField({ optional: true })
  uuid?: string;

  @FilteredBy()
  @StringField({ optional: true })
  reservation_id?: string;

  @FilteredBy((time: string) => changed('>=', time))
  @TimeField()
  'changes-since'?: string;

  @FilteredBy((time: string) => changed('<=', time))
  @TimeField()
  'changes-before'?: string;

  /** All of these tags. */
  @FilteredBy((tags: string) => holds('tags', tags.split(',')))
  @StringField({ optional: true })
  tags?: string;

  @BooleanField({
    optional: true,
    fromText: true,
    description: 'Deleted servers in place of the others; for administrators.',
  })
  deleted?: boolean;
}

const INVALID_REGULAR_EXPRESSION = '2201B';

@Injectable()
export class ListServers {
  constructor(
    private readonly servers: ServerRepository,
    private readonly history: ServerHistoryRepository,
  ) {}

  /**
   * @throws InvalidInputError for an invalid marker, sort key or expression
   * @throws ForbiddenError for the servers of all projects, unless an administrator asks
   */
  async page(ctx: RequestContext, query: ListServersQuery): Promise<PageOfRows<Server>> {
    const { where = [], ...page } = pageOfQuery<Server>(query, MAX_PAGE);
    const asked = askedFor(ctx, query);
    try {
      return await (asked === 'present' ? this.servers : this.history).list(ctx, {
        ...page,
        where: [
          ...projectOf(ctx, query),
          ...where,
          ...forAdministrators(ctx, query),
          ...(asked === 'deleted' ? [isDeleted] : []),
        ],
        scope: reachable(ctx),
      });
    } catch (error) {
      if (!hasSqlState(error, INVALID_REGULAR_EXPRESSION)) throw error;
      throw new InvalidInputError(
        `Invalid input: name '${query.name ?? ''}' is not a valid regular expression.`,
      );
    }
  }
}

/**
 * Which servers a list has: those that there are, those that were deleted, or both.
 * @throws ForbiddenError for deleted ones by status, unless an administrator asks
 */
function askedFor(ctx: RequestContext, query: ListServersQuery): 'present' | 'deleted' | 'both' {
  if (query.status !== undefined && isDeletedStatus(query.status)) {
    if (!ctx.isAdmin) throw new ForbiddenError('Only administrators may list deleted instances');
    return 'deleted';
  }
  // Like other filters for administrators, Nova drops it of others.
  const deleted = ctx.isAdmin ? query.deleted : undefined;
  if (deleted !== undefined) return deleted ? 'deleted' : 'present';
  const isByTime = query['changes-since'] ?? query['changes-before'];
  return isByTime === undefined ? 'present' : 'both';
}

function projectOf(ctx: RequestContext, query: ListServersQuery): Condition[] {
  const isAcross = actsAcrossProjects(ctx);
  if (!query.all_tenants) return isAcross ? [equals('projectId', ctx.projectId)] : [];
  if (isAcross) return equalsIfGiven('projectId', query.project_id ?? query.tenant_id);
  throw new ForbiddenError(
    'Listing the servers of all projects (all_tenants) needs the role admin.',
  );
}

/** Where a server runs is the operator's business: like Nova, drops these filters for others. */
function forAdministrators(ctx: RequestContext, { host, user_id }: ListServersQuery): Condition[] {
  if (!ctx.isAdmin) return [];
  return [...equalsIfGiven('host', host), ...equalsIfGiven('userId', user_id)];
}

/** To the second: a server shows its times without fractions, and is found by what it shows. */
function changed(operator: '>=' | '<=', time: string): Condition {
  return (bind) =>
    `date_trunc('second', greatest(updated_at, state_since)) ${operator}
     date_trunc('second', ${bind(new Date(time))}::timestamptz)`;
}

function isTexts(value: unknown): boolean {
  return [value].flat().every((one) => typeof one === 'string');
}

function isDirections(value: unknown): boolean {
  return [value].flat().every((one) => one === 'asc' || one === 'desc');
}
