import { IntegerField, StringField } from '@cumulet/common/http/fields';
import { compares } from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { TimeField } from '../../http/times.js';
import { Link } from '../../http/pages.js';

@SortedBy(['-startedAt'])
export class ListInstanceActionsQuery {
  @IntegerField({ optional: true, fromText: true, min: 0, description: 'Since 2.58.' })
  limit?: number;

  @StringField({ optional: true, description: 'The request id of an action. Since 2.58.' })
  marker?: string;

  @FilteredBy((time: string) => compares('updatedAt', 'gte', new Date(time)))
  @TimeField()
  'changes-since'?: string;

  /** Since 2.66. */
  @FilteredBy((time: string) => compares('updatedAt', 'lte', new Date(time)))
  @TimeField()
  'changes-before'?: string;
}

/**
 * What was done to a server. Times are UTC without a zone.
 * Public source: Nova API reference, "Servers actions history (servers, os-instance-actions)".
 */
export class InstanceActionView {
  @Shown(String, 'What was done: create, stop, reboot and so on.')
  action: string;

  @Shown(String, 'The server.')
  instance_uuid: string;

  @Shown(String, 'The request that asked for it.')
  request_id: string;

  @Shown(String, 'Who did; null for the service itself.', { nullable: true })
  user_id: string | null;

  @Shown(String, "The user's project; null for the service itself.", { nullable: true })
  project_id: string | null;

  @Shown(String, 'When it began.')
  start_time: string;

  @Shown(String, 'Why it failed, where it did.', { nullable: true })
  message: string | null;

  @Shown(String, 'When something of it last changed.', { since: 58 })
  updated_at?: string;
}

export class InstanceActionEvent {
  @Shown(String, 'What the host does.')
  event: string;

  @Shown(String, 'When it began.')
  start_time: string;

  @Shown(String, 'When it ended; null while it goes on.', { nullable: true })
  finish_time: string | null;

  @Shown(String, 'How it ended; null while it goes on.', {
    nullable: true,
    enum: ['Success', 'Error'],
  })
  result: string | null;

  @Shown(String, 'Always null; for administrators.', { nullable: true, optional: true })
  traceback?: null;

  @Shown(String, 'The host, for administrators.', { since: 62, nullable: true, optional: true })
  host?: string | null;

  @Shown(String, "Tells whether a project's servers were on one host; empty without one.", {
    since: 62,
  })
  hostId?: string;

  @Shown(String, 'Why it failed, for administrators.', {
    since: 84,
    nullable: true,
    optional: true,
  })
  details?: string | null;
}

export class InstanceActionDetailView extends InstanceActionView {
  @Shown([() => InstanceActionEvent], 'What hosts did of it; until 2.50 for administrators.', {
    optional: true,
  })
  events?: InstanceActionEvent[];
}

export const InstanceActionList = answerClass('InstanceActionList', {
  instanceActions: Shown([() => InstanceActionView], 'The actions of the page, newest first.'),
  links: Shown([() => Link], 'The next page, where there is one.', { since: 58, optional: true }),
});
