import { Injectable } from '@nestjs/common';
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { isUuid } from '@cumulet/common/context/ids';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { compares, equalsIfGiven, type Condition } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { ServerHistoryRepository } from '../servers/deleted/server-history.repository.js';
import { MAX_PAGE } from '../http/pages.js';
import { givenTime, zonelessTime } from '../http/times.js';
import { ProjectNotFoundError } from '../quotas/quota-sets.service.js';
import type { Server } from '../servers/server.entity.js';
import { versionOf } from '../versions/microversions.js';
import type { ShowUsageQuery } from './usage.dto.js';
import type { Period } from './usage.view.js';

@Injectable()
export class UsageService {
  constructor(private readonly history: ServerHistoryRepository) {}

  /**
   * A page of the servers that existed in the period and have run, by project and ID.
   * @param projectId all projects by default
   * @throws ProjectNotFoundError for another project than the caller's
   * @throws InvalidInputError for an unknown marker
   */
  servers(
    ctx: RequestContext,
    { start, stop }: Period,
    query: ShowUsageQuery,
    projectId?: string,
  ): Promise<PageOfRows<Server>> {
    if (projectId !== undefined && !mayActOn(ctx, projectId))
      throw new ProjectNotFoundError(projectId);
    const paged: ShowUsageQuery = versionOf(ctx).atLeast(40) ? query : {};
    const { limit = MAX_PAGE, marker } = paged;
    if (marker !== undefined && !isUuid(marker))
      throw new InvalidInputError(`Marker ${String(marker)} could not be found.`);
    return this.history.list(ctx, {
      where: [compares('launchedAt', 'lt', stop), existedAfter(start)],
      scope: equalsIfGiven('projectId', projectId),
      sort: [
        { by: 'projectId', descending: false },
        { by: 'id', descending: false },
      ],
      limit: Math.min(limit, MAX_PAGE),
      marker,
    });
  }
}

function existedAfter(start: Date): Condition {
  return (bind) => `deleted_at IS NULL OR deleted_at > ${bind(start)}`;
}

/** Ends now by default, at the latest. @throws InvalidInputError if it ends before it begins */
export function periodOf({ start, end }: ShowUsageQuery, now: Date): Period {
  const [from, to] = [timeOf(start) ?? now, timeOf(end) ?? now];
  if (from > to || (from.getTime() === to.getTime() && from !== to)) {
    throw new InvalidInputError(
      'Invalid start time. The start time cannot occur after the end time.',
    );
  }
  const isOver = to < now;
  const shown = {
    start: shownTime(from, start),
    stop: shownTime(isOver ? to : now, isOver ? end : undefined),
  };
  return { start: from, stop: isOver ? to : now, shown };
}

function shownTime(time: Date, asked: string | string[] | undefined): string {
  const [text = ''] = [asked].flat();
  return text === '' ? zonelessTime(time) : givenTime(time, text);
}

/** In UTC. An empty text means none. */
function timeOf(value: string | string[] | undefined): Date | undefined {
  const [time = ''] = [value].flat();
  return time === '' ? undefined : new Date(`${time.replace(' ', 'T')}Z`);
}
