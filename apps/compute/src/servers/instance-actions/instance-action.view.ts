/**
 * Actions on the wire, by microversion.
 * Public source: Nova API reference, "Show Server Action Details".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { zonelessTime } from '../../http/times.js';
import { hostIdOf } from '../server.view.js';
import { versionOf } from '../../versions/microversions.js';
import type {
  InstanceActionDetailView,
  InstanceActionEvent,
  InstanceActionView,
} from './instance-action.dto.js';
import type { InstanceAction } from './instance-action.entity.js';

export function instanceActionView(ctx: RequestContext, row: InstanceAction): InstanceActionView {
  return {
    action: row.action,
    instance_uuid: row.serverId,
    request_id: row.requestId,
    user_id: row.userId,
    project_id: row.projectId,
    start_time: zonelessTime(row.startedAt),
    message: row.message,
    ...(versionOf(ctx).atLeast(58) ? { updated_at: zonelessTime(row.updatedAt) } : {}),
  };
}

/** @param projectId the server's, by which its hosts' ids differ from other projects' */
export function instanceActionDetailView(
  ctx: RequestContext,
  row: InstanceAction,
  projectId: string,
): InstanceActionDetailView {
  const showsEvents = ctx.isAdmin || versionOf(ctx).atLeast(51);
  const view = instanceActionView(ctx, row);
  return showsEvents ? Object.assign(view, { events: eventsOf(ctx, row, projectId) }) : view;
}

function eventsOf(
  ctx: RequestContext,
  { event, startedAt, finishedAt, result, message, host }: InstanceAction,
  projectId: string,
): InstanceActionEvent[] {
  if (event === null) return [];
  const version = versionOf(ctx);
  return [
    {
      event,
      start_time: zonelessTime(startedAt),
      finish_time: finishedAt && zonelessTime(finishedAt),
      result,
      ...(ctx.isAdmin ? { traceback: null } : {}),
      ...(ctx.isAdmin && version.atLeast(62) ? { host } : {}),
      ...(version.atLeast(62) ? { hostId: hostIdOf({ host, projectId }) } : {}),
      ...(ctx.isAdmin && version.atLeast(84) ? { details: message } : {}),
    },
  ];
}
