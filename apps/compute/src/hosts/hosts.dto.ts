/** Hosts on the wire, until 2.42. Public source: Nova API reference, "Hosts (os-hosts)". */
import { EnumField, StringField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';

const WORDS = ['enable', 'disable', 'Enable', 'Disable', 'ENABLE', 'DISABLE'];

export class ListHostsQuery {
  @StringField({ optional: true, min: 0, description: 'A zone.' })
  zone?: string;
}

export class UpdateHostBody {
  @EnumField(WORDS, { optional: true })
  status?: string;

  @EnumField(WORDS, { optional: true })
  maintenance_mode?: string;
}

class HostSummary {
  @Shown(String, 'Its name.')
  host_name: string;

  @Shown(String, 'What it does.', { enum: ['compute', 'scheduler', 'conductor'] })
  service: string;

  @Shown(String, 'Its zone.')
  zone: string;
}

export const HostList = answerClass('HostList', {
  hosts: Shown([() => HostSummary], 'The enabled hosts.'),
});

class HostResource {
  @Shown(String, 'Its name.')
  host: string;

  @Shown(String, 'A project; `(total)`, `(used_now)` and `(used_max)` are of all.')
  project: string;

  @Shown('integer', 'Processors.')
  cpu: number;

  @Shown('integer', 'MiB of memory.')
  memory_mb: number;

  @Shown('integer', 'GiB of disk.')
  disk_gb: number;
}

const Resource = answerClass('HostResourceAnswer', {
  resource: Shown(() => HostResource, 'What there is, or is taken.'),
});

export const HostAnswer = answerClass('HostAnswer', {
  host: Shown([() => Resource], 'What there is, and what servers take, by project.'),
});

export const ChangedHostAnswer = answerClass('ChangedHostAnswer', {
  host: Shown(String, 'Its name.'),
  status: Shown(String, 'What was asked for.', { enum: ['enabled', 'disabled'] }),
});
