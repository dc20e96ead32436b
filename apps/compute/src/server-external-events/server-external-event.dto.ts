/** Events from sister services. Public source: Nova API reference, "Create external events". */
import { EnumField, ListField, StringField, UuidField } from '@cumulet/common/http/fields';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';

/** Events of a network service; each has the port as its tag. */
const EVENT_NAMES = [
  'network-changed',
  'network-vif-plugged',
  'network-vif-unplugged',
  'network-vif-deleted',
] as const;
type EventName = (typeof EVENT_NAMES)[number];

const EVENT_STATUSES = ['failed', 'completed', 'in-progress'] as const;
type EventStatus = (typeof EVENT_STATUSES)[number];

export class ServerExternalEventDto {
  @EnumField(EVENT_NAMES, { description: 'The type of the event.' })
  name: EventName;

  @UuidField({ description: 'The ID of the server.' })
  server_uuid: string;

  @EnumField(EVENT_STATUSES, { optional: true, description: 'The status; by default completed.' })
  status?: EventStatus;

  @StringField({ optional: true, min: 0, description: 'The port.' })
  tag?: string;
}

export class ServerExternalEventsBody {
  @ListField(() => ServerExternalEventDto, { minItems: 1 })
  events: ServerExternalEventDto[];
}

export const ServerExternalEventView = answerClass('ServerExternalEventView', {
  name: Shown(String, 'The type of the event.', { enum: EVENT_NAMES }),
  server_uuid: Shown(String, 'The ID of the server, as given.'),
  status: Shown(String, 'The outcome for the event.', { enum: ['completed', 'failed'] }),
  tag: Shown(String, 'The port.', { optional: true }),
  code: Shown('integer', '200; 404 for an unknown server, 422 for one without a host.', {
    schema: { enum: [200, 404, 422] },
  }),
});

export const ServerExternalEventsAnswer = allUnder(
  'events',
  ServerExternalEventView,
  'The events in their order in the request.',
);
