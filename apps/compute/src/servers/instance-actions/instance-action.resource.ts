/**
 * Requests that acted on a server, with the steps of hosts. Public source: Nova API reference,
 * "Servers actions history (servers, os-instance-actions)".
 */
import { Check, Entity, Index } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { IntegerField, StringField } from '@cumulet/common/http/fields';
import { answerClass, Shown, viewIn } from '@cumulet/common/http/shown';
import { internal, shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, rowOf } from '@cumulet/common/resources/classes';
import { id, moment, orNull, text } from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import { Link } from '../../http/pages.js';
import { zoneless, zonelessTime } from '../../http/times.js';
import { ChangesQuery } from '../../versions/changes-query.js';
import { versionOf } from '../../versions/microversions.js';
import type { ServerId } from '../server.entity.js';
import { hostIdOf } from '../server.answers.js';
import type { InstanceActionName } from './instance-action-names.js';

const KEY = { primary: true, primaryKeyConstraintName: 'instance_actions_pkey' };
const NOW = { default: () => 'clock_timestamp()' };

const INSTANCE_ACTION = {
  serverId: shownOnly(id<ServerId>(), {
    about: 'The ID of the server.',
    wire: 'instance_uuid',
    column: KEY,
  }),
  requestId: shownOnly(text(), { about: 'The ID of the request.', column: KEY }),
  action: shownOnly(text<InstanceActionName>(), {
    about: 'The action: create, stop, reboot and so on.',
  }),
  /** The only NIC that the action concerns. */
  nicId: internal(orNull(id<Id<'Nic'>>())),
  userId: shownOnly(orNull(text()), {
    about: 'The ID of the user who requested the action; null for the service itself.',
  }),
  projectId: shownOnly(orNull(text()), {
    about: "The ID of the user's project; null for the service itself.",
  }),
  startedAt: shownOnly(zoneless, {
    about: 'When the action began, in UTC.',
    wire: 'start_time',
    column: NOW,
  }),
  updatedAt: shownOnly(zoneless, {
    about: 'When the action last changed.',
    versions: { since: 58 },
    column: NOW,
  }),
  /** Null while the action is in progress. */
  finishedAt: internal(orNull(moment)),
  /** The host's step; null if no host takes part. */
  event: internal(orNull(text())),
  result: internal(orNull(text<'Success' | 'Error'>())),
  message: shownOnly(orNull(text()), { about: 'Why the action failed, if it did.' }),
  /** The host that carried it out. */
  host: internal(orNull(text())),
} as const;

@Entity('instance_actions')
@Index('instance_actions_open_idx', ['serverId'], { where: '(finished_at IS NULL)' })
@Check('instance_actions_result_check', `result IN ('Success', 'Error')`)
export class InstanceAction extends rowOf(INSTANCE_ACTION) {}

const FOR_ADMINISTRATORS = { nullable: true, optional: true };

const InstanceActionEvent = answerClass('InstanceActionEvent', {
  event: Shown(String, 'The step that the host carries out.'),
  start_time: Shown(String, 'When the step began.'),
  finish_time: Shown(String, 'When the step ended; null while it is in progress.', {
    nullable: true,
  }),
  result: Shown(String, 'The result of the step; null while it is in progress.', {
    nullable: true,
    enum: ['Success', 'Error'],
  }),
  traceback: Shown(String, 'Always null; only for administrators.', FOR_ADMINISTRATORS),
  host: Shown(String, 'The host; only for administrators.', { ...FOR_ADMINISTRATORS, since: 62 }),
  hostId: Shown(
    String,
    "A hash of the host, which shows whether a project's servers were on one; empty without one.",
    { since: 62 },
  ),
  details: Shown(String, 'Why the step failed; only for administrators.', {
    ...FOR_ADMINISTRATORS,
    since: 84,
  }),
});

export class InstanceActionView extends answerOf(INSTANCE_ACTION) {}

export class InstanceActionDetailView extends answerOf(INSTANCE_ACTION, {
  events: Shown(
    [() => InstanceActionEvent],
    'The steps of hosts; until 2.50 only for administrators.',
    { optional: true },
  ),
}) {}

export const InstanceActionList = answerClass('InstanceActionList', {
  instanceActions: Shown([() => InstanceActionView], 'The actions of the page, newest first.'),
  links: Shown([() => Link], 'The next page, if there is one.', { since: 58, optional: true }),
});

export function instanceActionView(ctx: RequestContext): (row: InstanceAction) => object {
  return viewIn<InstanceAction, object>(ctx, InstanceActionView, zonelessTime);
}

/** @param projectId of the server, with which its hosts' IDs are hashed */
export function instanceActionDetailView(
  ctx: RequestContext,
  row: InstanceAction,
  projectId: string,
): object {
  const showsEvents = ctx.isAdmin || versionOf(ctx).atLeast(51);
  const events = row.event === null ? [] : [eventOf(ctx, row, projectId)];
  return { ...instanceActionView(ctx)(row), ...(showsEvents ? { events } : {}) };
}

function eventOf(
  ctx: RequestContext,
  { event, startedAt, finishedAt, result, message, host }: InstanceAction,
  projectId: string,
): object {
  const version = versionOf(ctx);
  return {
    event,
    start_time: zonelessTime(startedAt),
    finish_time: finishedAt && zonelessTime(finishedAt),
    result,
    ...(ctx.isAdmin ? { traceback: null } : {}),
    ...(ctx.isAdmin && version.atLeast(62) ? { host } : {}),
    ...(version.atLeast(62) ? { hostId: hostIdOf({ host, projectId }) } : {}),
    ...(ctx.isAdmin && version.atLeast(84) ? { details: message } : {}),
  };
}

@SortedBy(['-startedAt'])
export class ListInstanceActionsQuery extends ChangesQuery {
  @IntegerField({ optional: true, fromText: true, min: 0, description: 'Since 2.58.' })
  limit?: number;

  @StringField({ optional: true, description: 'The request ID of an action. Since 2.58.' })
  marker?: string;
}
