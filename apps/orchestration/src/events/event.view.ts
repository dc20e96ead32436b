import { heatTime, resourceLink, stackLink, type Link, type StackAddress } from '../http/links.js';
import type { JsonObject } from '../json/json.js';
import type { ListedEvent } from './event.repository.js';

interface Addressed {
  readonly baseUrl: string;
}

/** @param root the stack whose list it is in, where that shows those of stacks below it */
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
