import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, notFound } from '@cumulet/common/errors/domain-error';
import { equals } from '@cumulet/common/tables/condition';
import { pageOfQuery, type Page } from '@cumulet/common/tables/page';
import { Table, type PageOfRows } from '@cumulet/common/tables/table';
import { ServerHistoryRepository } from '../deleted/server-history.repository.js';
import { MAX_PAGE } from '../../http/pages.js';
import type { Server, ServerId } from '../server.entity.js';
import { ServerNotFoundError } from '../server.errors.js';
import { ServersService } from '../servers.service.js';
import { checkChanges } from '../../versions/changes-query.js';
import { versionOf } from '../../versions/microversions.js';
import { InstanceAction, ListInstanceActionsQuery } from './instance-action.resource.js';

class InstanceActionNotFoundError extends notFound(
  (requestId: string) => `Action ${requestId} not found`,
) {}

const actions = new Table(InstanceAction, {
  missing: (key) =>
    new InstanceActionNotFoundError((key as Partial<InstanceAction>).requestId ?? ''),
  missingMarker: (key) =>
    new InvalidInputError(
      `Marker ${(key as Partial<InstanceAction>).requestId ?? ''} could not be found.`,
    ),
});

@Injectable()
export class InstanceActionsService {
  constructor(
    private readonly servers: ServersService,
    private readonly history: ServerHistoryRepository,
  ) {}

  /** Since 2.21 also a deleted server. @throws ServerNotFoundError */
  async serverOf(ctx: RequestContext, id: string): Promise<Server> {
    if (!versionOf(ctx).atLeast(21)) return this.servers.get(ctx, id);
    const server = isUuid(id) ? await this.history.visible(ctx, id) : undefined;
    if (!server) throw new ServerNotFoundError(id);
    return server;
  }

  /** Newest first. @throws InvalidInputError for a marker of another server */
  async page(
    ctx: RequestContext,
    serverId: ServerId,
    query: ListInstanceActionsQuery,
  ): Promise<PageOfRows<InstanceAction>> {
    const scope = [equals('serverId', serverId)];
    return actions.list(ctx, { ...pageFor(ctx, serverId, query), scope });
  }

  /** @throws InstanceActionNotFoundError */
  show(ctx: RequestContext, serverId: ServerId, requestId: string): Promise<InstanceAction> {
    return actions.get(ctx, { serverId, requestId });
  }
}

function pageFor(
  ctx: RequestContext,
  serverId: ServerId,
  query: ListInstanceActionsQuery,
): Page<InstanceAction> {
  if (!versionOf(ctx).atLeast(58))
    return pageOfQuery<InstanceAction>(new ListInstanceActionsQuery());
  checkChanges(ctx, query);
  const { marker } = query;
  const page = pageOfQuery<InstanceAction>(query, MAX_PAGE);
  return { ...page, marker: marker === undefined ? undefined : { serverId, requestId: marker } };
}
