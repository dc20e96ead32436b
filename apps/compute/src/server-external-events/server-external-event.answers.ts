import { Shown } from '@cumulet/common/http/shown';
import { EVENT_NAMES, type EventName } from './server-external-event.dto.js';

export class ServerExternalEventView {
  @Shown(String, 'What has happened.', { enum: EVENT_NAMES })
  name: EventName;

  @Shown(String, 'The server that it concerns, as it was named.')
  server_uuid: string;

  @Shown(String, 'Whether it was accepted.', { enum: ['completed', 'failed'] })
  status: 'completed' | 'failed';

  @Shown(String, 'The port.', { optional: true })
  tag?: string;

  @Shown('integer', '200; 404 without such a server, 422 for one that has no host.', {
    schema: { enum: [200, 404, 422] },
  })
  code: 200 | 404 | 422;
}

export class ServerExternalEventsAnswer {
  @Shown([() => ServerExternalEventView], 'The events in the order in which they came.')
  events: ServerExternalEventView[];
}
