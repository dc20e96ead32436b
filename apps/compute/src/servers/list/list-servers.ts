/** From a list's query to a page of rows. Public source: Nova API reference, "List Servers". */
import { Injectable } from '@nestjs/common';
import { actsAcrossProjects, reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  BooleanField,
  CheckedField,
  IntegerField,
  StringField,
  UuidField,
} from '@cumulet/common/http/fields';
import { Reads } from '@cumulet/common/http/read-dto';
import { equals, equalsIfGiven, type Condition } from '@cumulet/common/tables/condition';
import {
  FilteredBy,
  filtersOf,
  SortedBy,
  sortOf as sortOfQuery,
  type Sort,
} from '@cumulet/common/tables/listing';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { MAX_PAGE } from '../../http/pages.js';
import { TimeField } from '../../http/times.js';
import { versionOf } from '../../versions/microversions.js';
import {
  isDeleted,
  isPresent,
  ServerHistoryRepository,
} from '../deleted/server-history.repository.js';
import type { Server } from '../server.entity.js';
import { ServerRepository } from '../server.repository.js';
import { isDeletedStatus } from '../server-status.js';
import {
  SERVER_FILTERS,
  type ServerFilter,
  type ServerFilterName,
  branchesOf,
} from './server-filters.js';

/** Equal for every server. */
const SAME = { sql: `''::text` };

/** By wire name. Public source: nova, `api/openstack/compute/schemas/servers.py`. */
export const SERVER_SORT_KEYS = {
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
  access_ip_v4: 'accessIpV4',
  access_ip_v6: 'accessIpV6',
  auto_disk_config: 'diskConfig',
  config_drive: 'configDrive',
  display_description: 'description',
  hostname: 'hostname',
  kernel_id: { sql: `COALESCE(image->'kernel'->>'id', '')` },
  key_name: { sql: `COALESCE(keypair->>'name', '')` },
  launch_index: 'launchIndex',
  locked_by: 'lockedBy',
  node: 'host',
  power_state: 'state',
  progress: { sql: '(launched_at IS NOT NULL)' },
  ramdisk_id: { sql: `COALESCE(image->'ramdisk'->>'id', '')` },
  root_device_name: SAME,
  task_state: 'state',
  terminated_at: SAME,
  locked: { sql: '(locked_by IS NOT NULL)' },
} as const;

const FOR_ADMINISTRATORS: readonly string[] = ['host', 'node'];

/** Nova's columns that are not keys: ignored before 2.75, refused since. */
const IGNORED: readonly string[] = (
  'architecture cell_name cleaned default_ephemeral_device default_swap_device deleted deleted_at ' +
  'disable_terminate ephemeral_gb ephemeral_key_uuid id key_data launched_on memory_mb os_type ' +
  'reservation_id root_gb shutdown_terminate user_data vcpus vm_mode'
).split(' ');

interface SortQuery {
  readonly sort_key?: string | string[];
  readonly sort_dir?: string | string[];
}

/** @throws ForbiddenError for an administrator's key, InvalidInputError for an unknown one */
export function sortOf(ctx: RequestContext, query: SortQuery): Sort[] {
  const version = versionOf(ctx);
  const directions = [query.sort_dir ?? []].flat();
  const ignored = version.atLeast(75) ? [] : IGNORED;
  const kept = [query.sort_key ?? []]
    .flat()
    .map((key, at) => ({ key, direction: directions[at] ?? directions[0] ?? 'desc' }))
    .filter(({ key }) => !ignored.includes(key) && (key !== 'locked' || version.atLeast(73)));
  const forbidden = kept.find(({ key }) => FOR_ADMINISTRATORS.includes(key));
  if (forbidden && !ctx.isAdmin)
    throw new ForbiddenError(`Only administrators can sort servers by ${forbidden.key}`);
  const asked = {
    sort_key: kept.map(({ key }) => key),
    sort_dir: kept.length > 0 ? kept.map(({ direction }) => direction) : directions,
  };
  const other = Object.create(Object.getPrototypeOf(query) as object) as object;
  return sortOfQuery(Object.assign(other, asked));
}

/** Nova's statuses, including those that servers here never have. */
const STATUSES: readonly string[] = (
  'ACTIVE BUILD DELETED ERROR HARD_REBOOT MIGRATING PASSWORD PAUSED REBOOT REBUILD RESCUE RESIZE ' +
  'REVERT_RESIZE SHELVED SHELVED_OFFLOADED SHUTOFF SOFT_DELETED SUSPENDED UNKNOWN VERIFY_RESIZE'
).split(' ');

@SortedBy(['-createdAt'], SERVER_SORT_KEYS)
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

  /** One of these, if it is repeated. */
  @CheckedField(isTexts, 'must be strings', { type: 'string' }, { optional: true })
  status?: string | string[];

  @StringField({ optional: true })
  project_id?: string;

  @StringField({ optional: true })
  tenant_id?: string;

  @FilteredBy((time: string) => changed('>=', time))
  @TimeField()
  'changes-since'?: string;

  @FilteredBy((time: string) => changed('<=', time))
  @TimeField()
  'changes-before'?: string;

  @BooleanField({
    optional: true,
    fromText: true,
    description: 'Lists deleted servers instead; only for administrators.',
  })
  deleted?: boolean;
}

for (const [name, { about }] of Object.entries(SERVER_FILTERS)) {
  // The last of several counts, as in Nova.
  Reads((value) => [value].flat().at(-1))(ListServersQuery.prototype, name);
  StringField({ optional: true, min: 0, description: about })(ListServersQuery.prototype, name);
}

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
    const asked = scopeOf(ctx, query);
    const branches = query.status === undefined ? undefined : statusBranches(ctx, query);
    const { limit = MAX_PAGE, marker } = query;
    const { name } = filtersIn(query);
    return (asked === 'present' ? this.servers : this.history).list(ctx, {
      limit: Math.min(limit, MAX_PAGE),
      marker,
      sort: sortOf(ctx, query),
      where: [
        ...projectOf(ctx, query),
        ...filtersOf(query),
        ...conditionsOf(ctx, query),
        ...(asked === 'deleted' ? [isDeleted] : []),
        ...(asked === 'both' && branches ? [isPresent] : []),
      ],
      ...(asked === 'deleted' || !branches ? {} : { branches }),
      scope: reachable(ctx),
      isPlannedAnew: name !== undefined,
    });
  }
}

/** @throws InvalidInputError for an unknown status, since 2.38; before, it matches none */
function statusBranches(ctx: RequestContext, { status }: ListServersQuery): Condition[] {
  const asked = [status].flat().map((word) => String(word).toUpperCase());
  const branches = branchesOf((words) => asked.includes(words.status));
  const isKnown = branches.length > 0 || asked.some((word) => STATUSES.includes(word));
  if (!isKnown && versionOf(ctx).atLeast(38)) throw new InvalidInputError('Invalid status value');
  return branches;
}

/** The parameters of a query that are in the table of filters. */
function filtersIn(query: ListServersQuery): Partial<Record<ServerFilterName, string>> {
  return query as Partial<Record<ServerFilterName, string>>;
}

/** Conditions of the filters that the caller may use, at its microversion. */
function conditionsOf(ctx: RequestContext, query: ListServersQuery): Condition[] {
  const version = versionOf(ctx);
  const given = filtersIn(query);
  return Object.entries(SERVER_FILTERS as Readonly<Record<string, ServerFilter>>).flatMap(
    ([name, { since = 1, forAll = since, where }]) => {
      const value = given[name as ServerFilterName];
      if (value === undefined || !version.atLeast(since)) return [];
      const isOpen = forAll !== 'never' && version.atLeast(forAll);
      return isOpen || ctx.isAdmin ? (where(value) ?? []) : [];
    },
  );
}

/** @throws ForbiddenError for deleted ones by status, unless an administrator asks */
function scopeOf(ctx: RequestContext, query: ListServersQuery): 'present' | 'deleted' | 'both' {
  const statuses = [query.status ?? []].flat();
  if (statuses.length > 0 && statuses.every(isDeletedStatus)) {
    if (!ctx.isAdmin) throw new ForbiddenError('Only administrators may list deleted instances');
    return 'deleted';
  }
  // Nova ignores others' `deleted`, as other filters for administrators.
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

/** To the second, as servers show their times. */
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
