/** Services on the wire. Public source: Nova API reference, "Compute services (os-services)". */
import { applyDecorators } from '@nestjs/common';
import { BooleanField, EnumField, StringField } from '@cumulet/common/http/fields';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { HOST_NAME } from '../http/fields.js';
import { zonelessTime } from '../http/times.js';
import type { Service } from '../hosts/host-services.js';

export class ListServicesQuery {
  @StringField({ optional: true, min: 0 })
  host?: string;

  @StringField({
    optional: true,
    min: 0,
    description: 'The binary: nova-compute, nova-scheduler or nova-conductor.',
  })
  binary?: string;
}

/** Until 2.52: `PUT /os-services/disable`. */
export class NamedServiceBody {
  @StringField(HOST_NAME)
  host: string;

  @StringField()
  binary: string;

  @StringField({ optional: true })
  disabled_reason?: string;

  @BooleanField({ optional: true, fromText: true, description: 'Since 2.11.' })
  forced_down?: boolean;
}

/** Since 2.53: `PUT /os-services/{service_id}`. */
export class UpdateServiceBody {
  @EnumField(['enabled', 'disabled'], { optional: true })
  status?: 'enabled' | 'disabled';

  @StringField({ optional: true })
  disabled_reason?: string;

  @BooleanField({ optional: true, fromText: true })
  forced_down?: boolean;
}

const ServiceView = answerClass('ServiceView', {
  binary: Shown(String, 'The binary of the service.'),
  host: Shown<Service>(String, 'Its host.', { from: ({ name }) => name }),
  id: applyDecorators(
    Shown<Service>(String, 'Its id.', { since: 53, from: ({ serviceId }) => serviceId }),
    Shown<Service>('integer', 'Its id.', { until: 52, from: ({ number }) => number }),
  ),
  zone: Shown(
    String,
    'The availability zone of the host; `internal` for services that run no servers.',
  ),
  status: Shown<Service>(String, 'Whether the scheduler may place new servers on the host.', {
    enum: ['enabled', 'disabled'],
    from: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
  }),
  state: Shown<Service>(String, 'Whether the service reports and was not forced down.', {
    enum: ['up', 'down'],
    from: ({ isUp }) => (isUp ? 'up' : 'down'),
  }),
  updated_at: Shown<Service>(String, 'When the service last reported, in UTC without an offset.', {
    from: ({ seenAt }) => zonelessTime(seenAt),
  }),
  disabled_reason: Shown(String, 'The reason for disabling the service.', { nullable: true }),
  forced_down: Shown(Boolean, 'Whether the service was forced down.', { since: 11 }),
});

export { ServiceView };

export const ServiceList = allUnder('services', ServiceView);

/** Until 2.52 the changed properties, and since 2.53 the whole service. */
const ChangedService = answerClass('ChangedService', {
  binary: Shown(String, 'The binary of the service.'),
  host: Shown(String, 'Its host.'),
  id: Shown(String, 'Its id.', { since: 53 }),
  zone: Shown(String, 'The availability zone of the host.', { since: 53 }),
  status: Shown(String, 'Whether the scheduler may place new servers on the host.', {
    optional: true,
  }),
  state: Shown(String, 'Whether the service is up or down.', { since: 53 }),
  updated_at: Shown(String, 'When the service last reported.', { since: 53 }),
  disabled_reason: Shown(String, 'The reason for disabling the service.', {
    nullable: true,
    optional: true,
  }),
  forced_down: Shown(Boolean, 'Whether the service was forced down.', {
    since: 11,
    optional: true,
  }),
});

export const ChangedServiceAnswer = shownUnder('service', ChangedService);
