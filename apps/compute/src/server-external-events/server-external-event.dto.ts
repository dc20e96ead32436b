/** What sister services tell of. Public source: Nova API reference, "Create external events". */
import { EnumField, ListField, StringField, UuidField } from '@cumulet/common/http/fields';

/** Those of a network service; each names the port in its tag. */
export const EVENT_NAMES = [
  'network-changed',
  'network-vif-plugged',
  'network-vif-unplugged',
  'network-vif-deleted',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export const EVENT_STATUSES = ['failed', 'completed', 'in-progress'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export class ServerExternalEventDto {
  @EnumField(EVENT_NAMES, { description: 'What has happened.' })
  name: EventName;

  @UuidField({ description: 'The server that it concerns.' })
  server_uuid: string;

  @EnumField(EVENT_STATUSES, { optional: true, description: 'completed by default.' })
  status?: EventStatus;

  @StringField({ optional: true, min: 0, description: 'The port.' })
  tag?: string;
}

export class ServerExternalEventsBody {
  @ListField(() => ServerExternalEventDto, { minItems: 1 })
  events: ServerExternalEventDto[];
}
