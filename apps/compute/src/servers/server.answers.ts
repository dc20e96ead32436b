/**
 * Servers on the wire, by microversion.
 * Public source: Nova API reference, "Servers (servers)"; Nova, "REST API Version History".
 */
import { hash } from 'node:crypto';
import { applyDecorators } from '@nestjs/common';
import {
  answerClass,
  Shown,
  shownProperties,
  type Shape,
  type ShownOptions,
  type ViewContext,
} from '@cumulet/common/http/shown';
import { DEFAULT_ZONE } from '../hosts/host.entity.js';
import { Link, linksOf } from '../http/pages.js';
import { zonelessTime } from '../http/times.js';
import { addressesView, byNetwork } from './addresses/addresses.view.js';
import type { ServerStatus } from './server-status.js';
import { DISK_CONFIGS, type Server } from './server.entity.js';

/** A server as its caller sees it. */
export interface Seen extends ServerStatus {
  readonly server: Server;
  readonly isAdmin: boolean;
  /** Of its host, for callers who may know. */
  readonly hostStatus: string;
  /** Whether it is one of a list. */
  readonly isListed: boolean;
}

const TEXTS = { additionalProperties: { type: 'string' } } as const;
const DISK_CONFIG = 'Whether the cloud is to partition the disk; kept without effect.';
const links = Shown([() => Link], 'The addresses of the resource.');
const adminPass = Shown(String, "The administrator's password, which is shown only once.");

const SecurityGroupName = answerClass('SecurityGroupName', {
  name: Shown(String, 'The name of the security group.'),
});

const ServerImage = answerClass('ServerImage', {
  id: Shown(String, 'The ID of the image.'),
  properties: Shown(Object, 'The properties for guests and schedulers.', {
    since: 98,
    schema: TEXTS,
  }),
  links,
});

/** Until 2.46 the ID of the flavor; since then the flavor as it was when the server was created. */
const ServerFlavor = answerClass('ServerFlavor', {
  id: Shown(String, 'The ID of the flavor.', { until: 46 }),
  links: Shown([() => Link], 'The addresses of the flavor.', { until: 46 }),
  original_name: Shown(String, 'The name of the flavor at the time.', { since: 47 }),
  vcpus: Shown('integer', 'The number of virtual CPUs.', { since: 47 }),
  ram: Shown('integer', 'The memory in MiB.', { since: 47 }),
  disk: Shown('integer', 'The root disk in GiB; 0 for as large as the image.', { since: 47 }),
  ephemeral: Shown('integer', 'The ephemeral disks in GiB.', { since: 47 }),
  swap: Shown('integer', 'The swap space in MiB.', { since: 47 }),
  extra_specs: Shown(Object, 'The extra specs.', { since: 47, schema: TEXTS }),
});

/** API reference, "Compute fault object". */
const ServerFault = answerClass('ServerFault', {
  message: Shown(String, 'The reason.'),
  code: Shown('integer', 'Always 500.'),
  created: Shown('date-time', 'When the server failed.'),
});

type From = (server: Server, seen: Seen, ctx: ViewContext) => unknown;

function shown(
  shape: Shape,
  about: string,
  from: From,
  options: ShownOptions = {},
): PropertyDecorator {
  const read = (seen: Seen, ctx: ViewContext): unknown => from(seen.server, seen, ctx);
  return Shown<Seen>(shape, about, { ...options, from: read });
}

function forAdmins(
  shape: Shape,
  about: string,
  from: From,
  options: ShownOptions = {},
): PropertyDecorator {
  const read: From = (server, seen, ctx) => (seen.isAdmin ? from(server, seen, ctx) : undefined);
  return shown(shape, `${about} Only for administrators.`, read, { ...options, optional: true });
}

const SUMMARY = {
  id: shown(String, 'The ID of the server.', ({ id }) => id),
  name: shown(String, 'The name of the server.', ({ name }) => name),
  links: shown([() => Link], 'The addresses of the server.', (server, _, ctx) =>
    linksOf('servers', server, ctx),
  ),
};

export const ServerSummary = answerClass('ServerSummary', SUMMARY);

/** The statuses for which Nova shows a progress. */
const PROGRESSING = ['ACTIVE', 'BUILD', 'REBUILD', 'RESIZE', 'VERIFY_RESIZE', 'MIGRATING'];

export const ServerView = answerClass('ServerView', {
  ...SUMMARY,
  status: shown(
    String,
    'The status: ACTIVE, BUILD, DELETED, ERROR, HARD_REBOOT, REBOOT, SHUTOFF and so on.',
    (_, { status }) => status,
  ),
  tenant_id: shown(
    String,
    'The ID of the project that owns the server.',
    ({ projectId }) => projectId,
  ),
  user_id: shown(String, 'The ID of the user who created the server.', ({ userId }) => userId),
  metadata: shown(Object, 'The metadata, as its owner gave it.', ({ metadata }) => metadata, {
    schema: TEXTS,
  }),
  hostId: shown(
    String,
    'A hash of the host, which shows whether servers of a project share one; empty without a host.',
    hostIdOf,
  ),
  image: shown(
    () => ServerImage,
    'The image that the server was created from.',
    ({ imageId, image }, _, ctx) => ({
      id: imageId,
      links: linksOf('images', { id: imageId }, ctx).slice(1),
      ...(hasMinor(ctx, 98) ? { properties: image.properties ?? {} } : {}),
    }),
  ),
  flavor: shown(() => ServerFlavor, 'The flavor.', flavorOf),
  created: shown('date-time', 'When the server was created.', ({ createdAt }) => time(createdAt)),
  updated: shown('date-time', 'When the server last changed.', ({ updatedAt, stateSince }) =>
    time(updatedAt > stateSince ? updatedAt : stateSince),
  ),
  addresses: shown(
    Object,
    'The addresses by the names of their networks, as they were last seen.',
    addressesView,
    { schema: byNetwork },
  ),
  accessIPv4: shown(
    String,
    'The IPv4 address for access, as its owner gave it; empty for none.',
    ({ accessIpV4 }) => accessIpV4 ?? '',
  ),
  accessIPv6: shown(
    String,
    'The IPv6 address for access, as its owner gave it; empty for none.',
    ({ accessIpV6 }) => accessIpV6 ?? '',
  ),
  'OS-DCF:diskConfig': shown(String, DISK_CONFIG, ({ diskConfig }) => diskConfig, {
    enum: DISK_CONFIGS,
  }),
  progress: shown(
    'integer',
    'The progress of the creation in per cent, 0 or 100; missing in other statuses.',
    ({ launchedAt }, { status }) =>
      PROGRESSING.includes(status) ? (launchedAt ? 100 : 0) : undefined,
    { optional: true },
  ),
  'OS-EXT-AZ:availability_zone': shown(
    String,
    'The availability zone of the host; without a host, the requested one, or empty.',
    ({ host, zone, scheduling }) =>
      host === null ? (scheduling.zone ?? '') : (zone ?? DEFAULT_ZONE),
  ),
  config_drive: shown(
    String,
    'Whether a config drive was requested.',
    ({ configDrive }) => (configDrive ? 'True' : ''),
    { enum: ['True', ''] },
  ),
  key_name: shown(String, 'The name of the key pair.', ({ keypair }) => keypair?.name ?? null, {
    nullable: true,
  }),
  'OS-SRV-USG:launched_at': shown(
    String,
    'When the guest first ran, in UTC.',
    ({ launchedAt }) => launchedAt && zonelessTime(launchedAt),
    { nullable: true },
  ),
  'OS-SRV-USG:terminated_at': shown(
    String,
    'When the server was deleted, in UTC.',
    ({ deletedAt }) => (deletedAt ? zonelessTime(deletedAt) : null),
    { nullable: true },
  ),
  'OS-EXT-STS:task_state': shown(String, 'The task in progress.', (_, seen) => seen.taskState, {
    nullable: true,
  }),
  'OS-EXT-STS:vm_state': shown(String, 'The VM state.', (_, { vmState }) => vmState),
  'OS-EXT-STS:power_state': shown(
    'integer',
    'The power state: 0 no state, 1 running, 3 paused, 4 shut down.',
    (_, { powerState }) => powerState,
  ),
  'os-extended-volumes:volumes_attached': shown([Object], 'Always empty.', () => [], {
    schema: { maxItems: 0 },
  }),
  security_groups: shown(
    [() => SecurityGroupName],
    'The security groups of the ports; missing if there are none.',
    ({ securityGroups }) =>
      securityGroups.length > 0 ? securityGroups.map((name) => ({ name })) : undefined,
    { optional: true },
  ),
  fault: shown(
    () => ServerFault,
    'The reason for the status ERROR.',
    ({ stateReason, stateSince }, { status }) =>
      status === 'ERROR'
        ? {
            message: stateReason ?? 'The server failed for a reason that was not recorded.',
            code: 500,
            created: time(stateSince),
          }
        : undefined,
    { optional: true },
  ),
  'OS-EXT-SRV-ATTR:host': forAdmins(String, 'The host.', ({ host }) => host, { nullable: true }),
  'OS-EXT-SRV-ATTR:instance_name': forAdmins(
    String,
    'The name on the host.',
    ({ id }) => `instance-${id}`,
  ),
  'OS-EXT-SRV-ATTR:hypervisor_hostname': forAdmins(String, 'The host.', ({ host }) => host, {
    nullable: true,
  }),
  'OS-EXT-SRV-ATTR:reservation_id': forAdmins(
    String,
    'An ID that the servers of one request share.',
    ({ reservationId }) => reservationId,
    { since: 3 },
  ),
  'OS-EXT-SRV-ATTR:launch_index': forAdmins(
    'integer',
    'The index of the server in its request.',
    ({ launchIndex }) => launchIndex,
    { since: 3 },
  ),
  'OS-EXT-SRV-ATTR:hostname': applyDecorators(
    shown(String, 'The host name of the guest.', ({ hostname }) => hostname, { since: 90 }),
    forAdmins(String, 'The host name of the guest.', ({ hostname }) => hostname, {
      since: 3,
      until: 89,
    }),
  ),
  'OS-EXT-SRV-ATTR:kernel_id': forAdmins(
    String,
    'The ID of the kernel image.',
    ({ image }) => image.kernel?.id ?? '',
    { since: 3 },
  ),
  'OS-EXT-SRV-ATTR:ramdisk_id': forAdmins(
    String,
    'The ID of the ramdisk image.',
    ({ image }) => image.ramdisk?.id ?? '',
    { since: 3 },
  ),
  'OS-EXT-SRV-ATTR:root_device_name': forAdmins(String, 'The boot disk.', () => '/dev/vda', {
    since: 3,
  }),
  'OS-EXT-SRV-ATTR:user_data': forAdmins(
    String,
    'The user data in base64.',
    ({ userData }) => userData,
    { since: 3, nullable: true },
  ),
  host_status: forAdmins(String, 'The status of the host.', (_, { hostStatus }) => hostStatus, {
    since: 16,
  }),
  locked: shown(
    Boolean,
    "Whether the server is locked against its project's members.",
    ({ lockedBy }) => lockedBy !== null,
    { since: 9 },
  ),
  description: shown(String, 'A description.', ({ description }) => description, {
    since: 19,
    nullable: true,
  }),
  tags: shown([String], 'The tags.', ({ tags }) => tags, { since: 26 }),
  trusted_image_certificates: shown([String], 'Always null.', () => null, {
    since: 63,
    nullable: true,
  }),
  server_groups: shown(
    [String],
    'The server group that the server is in; missing in lists.',
    ({ groupId }, { isListed }) => (isListed ? undefined : groupId === null ? [] : [groupId]),
    { since: 71, optional: true, schema: { maxItems: 1 } },
  ),
  locked_reason: shown(String, 'The reason for the lock.', ({ lockedReason }) => lockedReason, {
    since: 73,
    nullable: true,
  }),
  pinned_availability_zone: shown(
    String,
    'The availability zone that was requested.',
    ({ scheduling }) => scheduling.zone ?? null,
    { since: 96, nullable: true },
  ),
  scheduler_hints: shown(
    Object,
    'The scheduler hints of the creation.',
    ({ scheduling }) => scheduling.hints ?? {},
    { since: 100, schema: { additionalProperties: true } },
  ),
});

/** Properties that the answers to updates and rebuilds have only since 2.75. */
export const SHOWN_LATER =
  /^(OS-EXT-|OS-SRV-USG:|config_drive$|key_name$|os-extended-volumes:|host_status$|security_groups$)/;

/** A server as it is after an update or a rebuild. */
export class ChangedServerView extends ServerView {}

// 2.90 and 2.96 added their properties to these answers, too.
for (const { name, shape, description, options } of shownProperties(ServerView)) {
  if (SHOWN_LATER.test(name) && options.since === undefined)
    Shown(shape, description, { ...options, since: 75 })(ChangedServerView.prototype, name);
}

export class RebuiltServerView extends ChangedServerView {}

const REBUILT = {
  adminPass,
  key_name: Shown(String, 'The name of the key pair.', { since: 54, nullable: true }),
  user_data: Shown(String, 'The user data in base64.', { since: 57, nullable: true }),
};
for (const [name, property] of Object.entries(REBUILT)) property(RebuiltServerView.prototype, name);

const CreatedServer = answerClass('CreatedServer', {
  id: Shown(String, 'The ID of the server.'),
  links,
  'OS-DCF:diskConfig': Shown(String, DISK_CONFIG, { enum: DISK_CONFIGS }),
  security_groups: Shown(
    [() => SecurityGroupName],
    'The security groups of the ports that are created for it.',
  ),
  adminPass,
});

export const CreateServerAnswer = answerClass('CreateServerAnswer', {
  server: Shown(() => CreatedServer, 'The server, or the first of several.', { optional: true }),
  reservation_id: Shown(String, 'The reservation ID in place of the server, on request.', {
    optional: true,
  }),
});

function flavorOf(
  { flavor, vcpus, memoryMb, diskGb }: Server,
  _: unknown,
  ctx: ViewContext,
): object {
  if (!hasMinor(ctx, 47)) return { id: flavor.id, links: linksOf('flavors', flavor, ctx).slice(1) };
  return {
    original_name: flavor.name,
    vcpus,
    ram: memoryMb,
    disk: diskGb,
    ephemeral: flavor.ephemeralGb ?? 0,
    swap: flavor.swapMb ?? 0,
    extra_specs: flavor.extraSpecs ?? {},
  };
}

function hasMinor({ fields }: ViewContext, minor: number): boolean {
  return (fields.microversion?.minor ?? 1) >= minor;
}

/** `2026-01-31T12:00:00Z`: without fractions, as Nova writes it. */
function time(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Distinguishes the hosts of a project's servers, and reveals nothing else; empty without a host. */
export function hostIdOf(of: { readonly host: string | null; readonly projectId: string }): string {
  return of.host === null ? '' : hash('sha224', of.projectId + of.host, 'hex');
}
