/** Events on the wire. Public source: Orchestration API reference, "Events". */
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Link } from '../http/links.js';

const SUMMARY = {
  id: Shown(String, 'Its id.'),
  links: Shown([() => Link], 'Where it is, and what it is of.'),
  event_time: Shown('date-time', 'When it was.'),
  logical_resource_id: Shown(String, 'The name of the resource.'),
  resource_name: Shown(String, 'The name of the resource; for the stack, its own.'),
  physical_resource_id: Shown(String, 'What stands for it; empty while nothing does.'),
  resource_status: Shown(String, 'An action, and how far it was: CREATE_COMPLETE.'),
  resource_status_reason: Shown(String, 'Why it had that status.'),
};

export const EventSummary = answerClass('EventSummary', SUMMARY);

export const EventList = answerClass('EventList', {
  events: Shown([() => EventSummary], 'The events of the page.'),
});

export const EventView = answerClass('EventView', {
  ...SUMMARY,
  resource_type: Shown(String, 'The type of the resource.'),
  resource_properties: Shown(Object, 'Its properties, as far as they were known.', {
    nullable: true,
  }),
});

export const EventAnswer = answerClass('EventAnswer', {
  event: Shown(() => EventView, 'The event.'),
});
