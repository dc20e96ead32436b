/** Services on the wire. Public source: Nova API reference, "Compute services (os-services)". */
import { BooleanField, EnumField, StringField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { zonelessTime } from '../http/times.js';
import type { Service } from '../hosts/services-of.js';

export class ListServicesQuery {
  @StringField({ optional: true, min: 0 })
  host?: string;

  @StringField({
    optional: true,
    min: 0,
    description: 'nova-compute, nova-scheduler or nova-conductor.',
  })
  binary?: string;
}

const HOST = {
  pattern: /^[a-zA-Z0-9-._]*$/,
  patternText: "must hold letters, digits, '-', '.' and '_' alone",
};

/** Until 2.52: `PUT /os-services/disable`. */
export class NamedServiceBody {
  @StringField(HOST)
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

class ServiceView {
  @Shown(String, 'What it is.')
  binary: string;

  @Shown<Service>(String, 'Its host.', { from: ({ name }) => name })
  host: string;

  @Shown<Service>('integer', 'Its id.', { until: 52, from: ({ number }) => number })
  @Shown<Service>(String, 'Its id.', { since: 53, from: ({ serviceId }) => serviceId })
  id: number | string;

  @Shown(String, 'The availability zone of its host; `internal` for what runs no servers.')
  zone: string;

  @Shown<Service>(String, 'Whether new servers may be placed on its host.', {
    enum: ['enabled', 'disabled'],
    from: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
  })
  status: string;

  @Shown<Service>(String, 'Whether it is heard of, and nobody has forced it down.', {
    enum: ['up', 'down'],
    from: ({ isUp }) => (isUp ? 'up' : 'down'),
  })
  state: string;

  @Shown<Service>(String, 'When it was last heard of, in UTC without a zone.', {
    from: ({ seenAt }) => zonelessTime(seenAt),
  })
  updated_at: string;

  @Shown(String, 'Why it is disabled.', { nullable: true })
  disabled_reason: string | null;

  @Shown(Boolean, 'Whether somebody has forced it down.', { since: 11 })
  forced_down?: boolean;
}

export { ServiceView };

export const ServiceList = answerClass('ServiceList', {
  services: Shown([() => ServiceView], 'The services.'),
});

/** Until 2.52 what was changed, and since 2.53 all of the service. */
class ChangedService {
  @Shown(String, 'What it is.')
  binary: string;

  @Shown(String, 'Its host.')
  host: string;

  @Shown(String, 'Its id.', { since: 53 })
  id?: string;

  @Shown(String, 'The availability zone of its host.', { since: 53 })
  zone?: string;

  @Shown(String, 'Whether new servers may be placed on its host.', { optional: true })
  status?: string;

  @Shown(String, 'Whether it is up or down.', { since: 53 })
  state?: string;

  @Shown(String, 'When it was last heard of.', { since: 53 })
  updated_at?: string;

  @Shown(String, 'Why it is disabled.', { nullable: true, optional: true })
  disabled_reason?: string | null;

  @Shown(Boolean, 'Whether somebody has forced it down.', { since: 11, optional: true })
  forced_down?: boolean;
}

export const ChangedServiceAnswer = answerClass('ChangedServiceAnswer', {
  service: Shown(() => ChangedService, 'The service.'),
});
