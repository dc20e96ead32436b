/** Events on the wire. Public source: Orchestration API reference, "Events". */
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { heatTime, Link, resourceLink, stackLink, type StackAddress } from '../http/links.js';
import type { JsonObject } from '../json/json.js';
import type { ListedEvent } from './event.repository.js';

const SUMMARY = {
  id: Shown(String, 'The ID.'),
  links: Shown([() => Link], 'Links to the event, its resource and its stack.'),
  event_time: Shown('date-time', 'The time of the event.'),
  logical_resource_id: Shown(String, 'The name of the resource.'),
  resource_name: Shown(String, 'The name of the resource; for the stack, its own.'),
  physical_resource_id: Shown(
    String,
    'The ID of the resource in its service; empty until it exists.',
  ),
  resource_status: Shown(String, 'An action and its status, such as CREATE_COMPLETE.'),
  resource_status_reason: Shown(String, 'The reason for the status.'),
};

export const EventSummary = answerClass('EventSummary', SUMMARY);

export const EventList = allUnder('events', EventSummary);

export const EventView = answerClass('EventView', {
  ...SUMMARY,
  resource_type: Shown(String, 'The type of the resource.'),
  resource_properties: Shown(Object, 'The properties, as far as they were known.', {
    nullable: true,
  }),
});

export const EventAnswer = shownUnder('event', EventView);

interface Addressed {
  readonly baseUrl: string;
}

/** @param root the stack whose list shows it, if that includes nested stacks */
export function eventSummary(ctx: Addressed, event: ListedEvent, root?: StackAddress): object {
  const { stackId: id, stackName: name, projectId, resourceName } = event;
  const stack = { id, name, projectId };
  const resource = resourceLink(ctx, stack, resourceName, 'resource');
  const links: Link[] = [
    { href: `${resource.href}/events/${event.id}`, rel: 'self' },
    resource,
    stackLink(ctx, stack, 'stack'),
    ...(root ? [stackLink(ctx, root, 'root_stack')] : []),
  ];
  return {
    id: event.id,
    links,
    event_time: heatTime(event.createdAt),
    logical_resource_id: resourceName,
    resource_name: resourceName,
    physical_resource_id: event.physicalId ?? '',
    resource_status: `${event.action}_${event.status}`,
    resource_status_reason: event.reason,
  };
}

export function eventView(
  ctx: Addressed,
  event: ListedEvent,
  properties: JsonObject | null,
): object {
  return {
    ...eventSummary(ctx, event),
    resource_type: event.resourceType,
    resource_properties: properties,
  };
}
