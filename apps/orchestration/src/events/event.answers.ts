/** Events on the wire. Public source: Orchestration API reference, "Events". */
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Link } from '../http/links.js';

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

export const EventList = answerClass('EventList', {
  events: Shown([() => EventSummary], 'The events of the page.'),
});

export const EventView = answerClass('EventView', {
  ...SUMMARY,
  resource_type: Shown(String, 'The type of the resource.'),
  resource_properties: Shown(Object, 'The properties, as far as they were known.', {
    nullable: true,
  }),
});

export const EventAnswer = answerClass('EventAnswer', {
  event: Shown(() => EventView, 'The event.'),
});
