/**
 * Answers about servers, by microversion.
 * Public source: Nova API reference, "Servers (servers)"; Nova, "REST API Version History".
 */
import { answerClass, Shown, shownProperties } from '@cumulet/common/http/shown';
import { byNetwork, type AddressView } from './addresses/addresses.view.js';
import { Link } from '../http/pages.js';
import { DISK_CONFIGS } from './server.entity.js';

const DISK_CONFIG =
  'Whether the cloud should partition its disk, as its owner said; without effect.';

export class SecurityGroupName {
  @Shown(String, 'Its name.')
  name: string;
}

export class ServerSummary {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'Its name.')
  name: string;

  @Shown([() => Link], 'Where it is.')
  links: Link[];
}

export class ServerImage {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(Object, 'Its properties for guests and schedulers.', {
    since: 98,
    schema: { additionalProperties: { type: 'string' } },
  })
  properties?: object;

  @Shown([() => Link], 'Where it is.')
  links: Link[];
}

/** At first the flavor's id; since 2.47 the flavor as it was at the server's creation. */
export class ServerFlavor {
  @Shown(String, 'Its id.', { until: 46 })
  id?: string;

  @Shown([() => Link], 'Where it is.', { until: 46 })
  links?: Link[];

  @Shown(String, 'Its name at the time.', { since: 47 })
  original_name?: string;

  @Shown('integer', 'Processors.', { since: 47 })
  vcpus?: number;

  @Shown('integer', 'MiB of memory.', { since: 47 })
  ram?: number;

  @Shown('integer', 'GiB of disk; 0 is as large as the image.', { since: 47 })
  disk?: number;

  @Shown('integer', 'GiB of further disks.', { since: 47 })
  ephemeral?: number;

  @Shown('integer', 'MiB of swap.', { since: 47 })
  swap?: number;

  @Shown(Object, 'Further requirements.', {
    since: 47,
    schema: { additionalProperties: { type: 'string' } },
  })
  extra_specs?: object;
}

/** API reference, "Compute fault object". */
export class ServerFault {
  @Shown(String, 'What went wrong.')
  message: string;

  @Shown('integer', 'Always 500.')
  code: number;

  @Shown('date-time', 'When it went wrong.')
  created: string;
}

export class ServerView extends ServerSummary {
  @Shown(String, 'ACTIVE, BUILD, DELETED, ERROR, HARD_REBOOT, REBOOT or SHUTOFF.')
  status: string;

  @Shown(String, 'Its project.')
  tenant_id: string;

  @Shown(String, 'The user who created it.')
  user_id: string;

  @Shown(Object, 'Texts by name, as its owner gave them.', {
    schema: { additionalProperties: { type: 'string' } },
  })
  metadata: Record<string, string>;

  @Shown(String, 'Tells whether servers of a project share a host; empty before it has one.')
  hostId: string;

  @Shown(() => ServerImage, 'The image that it was created from.')
  image: ServerImage;

  @Shown(() => ServerFlavor, 'Its size.')
  flavor: ServerFlavor;

  @Shown('date-time', 'When it was created.')
  created: string;

  @Shown('date-time', 'When it last changed.')
  updated: string;

  @Shown(Object, 'Its addresses by the names of their networks, as they were last seen.', {
    schema: byNetwork,
  })
  addresses: Record<string, AddressView[]>;

  @Shown(String, 'By which its owner says that it is reached; empty if nothing was said.')
  accessIPv4: string;

  @Shown(String, 'The same by IPv6.')
  accessIPv6: string;

  @Shown(String, DISK_CONFIG, { enum: DISK_CONFIGS })
  'OS-DCF:diskConfig': string;

  @Shown('integer', 'Per cent of its creation; left out of what is neither built nor runs.', {
    optional: true,
  })
  progress?: number;

  @Shown(String, 'Its zone; empty before it has a host.')
  'OS-EXT-AZ:availability_zone': string;

  @Shown(String, 'Whether it was created with a config drive.', { enum: ['True', ''] })
  config_drive: string;

  @Shown(String, 'The name of its key pair.', { nullable: true })
  key_name: string | null;

  @Shown(String, 'When it first ran, without a zone: UTC.', { nullable: true })
  'OS-SRV-USG:launched_at': string | null;

  @Shown(String, 'When it was deleted, without a zone: UTC.', { nullable: true })
  'OS-SRV-USG:terminated_at': string | null;

  @Shown(String, 'What is being done to it.', { nullable: true })
  'OS-EXT-STS:task_state': string | null;

  @Shown(String, 'What it is apart from that.')
  'OS-EXT-STS:vm_state': string;

  @Shown('integer', '0 no state, 1 running, 3 paused, 4 shut down.')
  'OS-EXT-STS:power_state': number;

  @Shown([Object], 'Its volumes: none.', { schema: { maxItems: 0 } })
  'os-extended-volumes:volumes_attached': object[];

  @Shown([() => SecurityGroupName], 'Those of its ports; left out where there are none.', {
    optional: true,
  })
  security_groups?: SecurityGroupName[];

  @Shown(() => ServerFault, 'Why its status is ERROR, where it is.', { optional: true })
  fault?: ServerFault;

  @Shown(String, 'Its host, for administrators.', { nullable: true, optional: true })
  'OS-EXT-SRV-ATTR:host'?: string | null;

  @Shown(String, 'Its name on the host, for administrators.', { optional: true })
  'OS-EXT-SRV-ATTR:instance_name'?: string;

  @Shown(String, 'Its host, for administrators.', { nullable: true, optional: true })
  'OS-EXT-SRV-ATTR:hypervisor_hostname'?: string | null;

  @Shown(String, 'What servers of one request share, for administrators.', {
    since: 3,
    optional: true,
  })
  'OS-EXT-SRV-ATTR:reservation_id'?: string;

  @Shown('integer', 'Its place in that request, for administrators.', { since: 3, optional: true })
  'OS-EXT-SRV-ATTR:launch_index'?: number;

  @Shown(String, 'Its host name, for administrators.', { since: 3, until: 89, optional: true })
  @Shown(String, 'Its host name.', { since: 90 })
  'OS-EXT-SRV-ATTR:hostname'?: string;

  @Shown(String, 'The image of its kernel, for administrators.', { since: 3, optional: true })
  'OS-EXT-SRV-ATTR:kernel_id'?: string;

  @Shown(String, 'The image of its ramdisk, for administrators.', { since: 3, optional: true })
  'OS-EXT-SRV-ATTR:ramdisk_id'?: string;

  @Shown(String, 'Its boot disk, for administrators.', { since: 3, optional: true })
  'OS-EXT-SRV-ATTR:root_device_name'?: string;

  @Shown(String, 'Its user data in base64, for administrators.', {
    since: 3,
    nullable: true,
    optional: true,
  })
  'OS-EXT-SRV-ATTR:user_data'?: string | null;

  @Shown(Boolean, "Whether its project's members may not change it.", { since: 9 })
  locked?: boolean;

  @Shown(String, 'Whether its host lives, for administrators.', { since: 16, optional: true })
  host_status?: string;

  @Shown(String, 'What its owner says of it.', { since: 19, nullable: true })
  description?: string | null;

  @Shown([String], 'Its tags.', { since: 26 })
  tags?: string[];

  @Shown([String], 'Always null.', { since: 63, nullable: true })
  trusted_image_certificates?: null;

  @Shown([String], 'The server group that it is in.', {
    since: 71,
    optional: true,
    schema: { maxItems: 1 },
  })
  server_groups?: string[];

  @Shown(String, 'Why it is locked, where a reason was given.', { since: 73, nullable: true })
  locked_reason?: string | null;

  @Shown(String, 'The zone that was asked for.', { since: 96, nullable: true })
  pinned_availability_zone?: string | null;

  @Shown(Object, 'The hints that it was created with.', {
    since: 100,
    schema: { additionalProperties: true },
  })
  scheduler_hints?: object;
}

/** Of the answer to an update or a rebuild, what they show since 2.75 alone. */
const SHOWN_LATER =
  /^(OS-EXT-|OS-SRV-USG:|config_drive$|key_name$|os-extended-volumes:|host_status$|security_groups$)/;

/** 2.90 and 2.96 brought these to updates too. */
export function isShownLater(name: string): boolean {
  return SHOWN_LATER.test(name);
}

/** A server as it is after an update or a rebuild. */
export class ChangedServerView extends ServerView {}

for (const { name, shape, description, options } of shownProperties(ServerView)) {
  if (isShownLater(name) && options.since === undefined)
    Shown(shape, description, { ...options, since: 75 })(ChangedServerView.prototype, name);
}

/** A server that is being rebuilt. */
export class RebuiltServerView extends ChangedServerView {
  @Shown(String, 'The password of its administrator, which is told this once.')
  adminPass: string;

  @Shown(String, 'The name of its key pair.', { since: 54, nullable: true })
  declare key_name: string | null;

  @Shown(String, 'What it is told at its first start, in base64.', { since: 57, nullable: true })
  user_data?: string | null;
}

export class CreatedServer {
  @Shown(String, 'Its id.')
  id: string;

  @Shown([() => Link], 'Where it is.')
  links: Link[];

  @Shown(String, DISK_CONFIG, { enum: DISK_CONFIGS })
  'OS-DCF:diskConfig': string;

  @Shown([() => SecurityGroupName], 'The security groups of the ports that are made for it.')
  security_groups: SecurityGroupName[];

  @Shown(String, 'The password of its administrator, which is told this once.')
  adminPass: string;
}

export const CreateServerAnswer = answerClass('CreateServerAnswer', {
  server: Shown(() => CreatedServer, 'The server, or the first of several.', { optional: true }),
  reservation_id: Shown(String, 'In place of it, where it is asked for.', { optional: true }),
});
