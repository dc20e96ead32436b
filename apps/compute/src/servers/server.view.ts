/**
 * Servers on the wire, by microversion.
 * Public source: Nova API reference, "Show Server Details"; Nova, "REST API Version History".
 */
import { hash } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Microversion } from '@cumulet/common/context/microversion';
import { DEFAULT_ZONE } from '../hosts/host.entity.js';
import { linksOf } from '../http/pages.js';
import { zonelessTime } from '../http/times.js';
import { versionOf } from '../versions/microversions.js';
import {
  type ChangedServerView,
  type CreatedServer,
  type RebuiltServerView,
  type ServerFault,
  type ServerFlavor,
  type ServerSummary,
  type ServerView,
  isShownLater,
} from './server.answers.js';
import { addressesView, plainAddressesView } from './addresses/addresses.view.js';
import { statusOf } from './server-status.js';
import type { DiskConfig, Server } from './server.entity.js';

export function serverSummaryView(ctx: RequestContext, { id, name }: Server): ServerSummary {
  return { id, name, links: linksOf('servers', { id }, ctx) };
}

/** Statuses of which Nova shows a progress. */
const PROGRESSING: readonly string[] = [
  'ACTIVE',
  'BUILD',
  'REBUILD',
  'RESIZE',
  'VERIFY_RESIZE',
  'MIGRATING',
];

/** The answer to a create: the only one that shows the password. */
export function createdServerView(
  ctx: RequestContext,
  id: string,
  adminPass: string,
  diskConfig: DiskConfig = 'MANUAL',
  groups: readonly { readonly name: string }[] = [{ name: 'default' }],
): CreatedServer {
  return {
    id,
    links: linksOf('servers', { id }, ctx),
    'OS-DCF:diskConfig': diskConfig,
    security_groups: groups.map(({ name }) => ({ name })),
    adminPass,
  };
}

/** @param hostStatuses by host, for callers who may know; see HostStatuses */
export function serverView(
  ctx: RequestContext,
  server: Server,
  hostStatuses: ReadonlyMap<string, string>,
): ServerView {
  const version = versionOf(ctx);
  const { status, vmState, taskState, powerState } = statusOf(server);
  return {
    id: server.id,
    name: server.name,
    status,
    tenant_id: server.projectId,
    user_id: server.userId,
    metadata: server.metadata,
    hostId: hostIdOf(server),
    image: {
      id: server.imageId,
      links: linksOf('images', { id: server.imageId }, ctx).slice(1),
      ...(version.atLeast(98) ? { properties: server.image.properties ?? {} } : {}),
    },
    flavor: flavorOf(ctx, server, version),
    created: time(server.createdAt),
    updated: time(later(server.updatedAt, server.stateSince)),
    addresses: addressesView(server),
    accessIPv4: server.accessIpV4 ?? '',
    accessIPv6: server.accessIpV6 ?? '',
    links: linksOf('servers', server, ctx),
    'OS-DCF:diskConfig': server.diskConfig,
    ...(PROGRESSING.includes(status) ? { progress: server.launchedAt ? 100 : 0 } : {}),
    'OS-EXT-AZ:availability_zone': zoneOf(server),
    config_drive: server.configDrive ? 'True' : '',
    key_name: server.keypair?.name ?? null,
    'OS-SRV-USG:launched_at': server.launchedAt && zonelessTime(server.launchedAt),
    'OS-SRV-USG:terminated_at': server.deletedAt ? zonelessTime(server.deletedAt) : null,
    'OS-EXT-STS:task_state': taskState,
    'OS-EXT-STS:vm_state': vmState,
    'OS-EXT-STS:power_state': powerState,
    'os-extended-volumes:volumes_attached': [],
    ...(server.securityGroups.length > 0
      ? { security_groups: server.securityGroups.map((name) => ({ name })) }
      : {}),
    ...(status === 'ERROR' ? { fault: faultOf(server) } : {}),
    ...(ctx.isAdmin ? adminAttributes(server, version, hostStatuses) : {}),
    ...laterAttributes(server, version),
  };
}

/** The answer to an update or a rebuild, which show all of a server since 2.75 alone. */
export function changedServerView(
  ctx: RequestContext,
  server: Server,
  hostStatuses: ReadonlyMap<string, string>,
): ChangedServerView {
  const shown = serverView(ctx, server, hostStatuses);
  if (versionOf(ctx).atLeast(75)) return shown;
  const kept = Object.entries(shown).filter(([name]) => !isShownLater(name));
  const addresses = plainAddressesView(server);
  return Object.assign(Object.fromEntries(kept), { addresses }) as unknown as ChangedServerView;
}

/** The answer to a rebuild: it may have changed the key pair since 2.54, and user data since 2.57. */
export function rebuiltServerView(
  ctx: RequestContext,
  server: Server,
  hostStatuses: ReadonlyMap<string, string>,
  adminPass: string,
): RebuiltServerView {
  const version = versionOf(ctx);
  const shown = changedServerView(ctx, server, hostStatuses);
  // Administrators are not told twice.
  delete shown['OS-EXT-SRV-ATTR:user_data'];
  return Object.assign(shown, {
    ...(version.atLeast(54) ? { key_name: server.keypair?.name ?? null } : {}),
    ...(version.atLeast(57) ? { user_data: server.userData } : {}),
    adminPass,
  });
}

/** That of its host; without a host, the one that was asked for. */
function zoneOf({ host, zone, scheduling }: Server): string {
  return host === null ? (scheduling.zone ?? '') : (zone ?? DEFAULT_ZONE);
}

/** In a list with details, which leaves out what each server would have to be asked for. */
export function listedServerView(
  ctx: RequestContext,
  server: Server,
  hostStatuses: ReadonlyMap<string, string>,
): ServerView {
  const shown = serverView(ctx, server, hostStatuses);
  delete shown.server_groups;
  return shown;
}

/** A server's fault (API reference, "Compute fault object"). */
function faultOf(server: Server): ServerFault {
  return {
    message: server.stateReason ?? 'The server failed for a reason that was not recorded.',
    code: 500,
    created: time(server.stateSince),
  };
}

function flavorOf(ctx: RequestContext, server: Server, version: Microversion): ServerFlavor {
  const { flavor } = server;
  if (!version.atLeast(47)) {
    return { id: flavor.id, links: linksOf('flavors', flavor, ctx).slice(1) };
  }
  return {
    original_name: flavor.name,
    vcpus: server.vcpus,
    ram: server.memoryMb,
    disk: server.diskGb,
    ephemeral: flavor.ephemeralGb ?? 0,
    swap: flavor.swapMb ?? 0,
    extra_specs: flavor.extraSpecs ?? {},
  };
}

function adminAttributes(
  server: Server,
  version: Microversion,
  hostStatuses: ReadonlyMap<string, string>,
): Partial<ServerView> {
  return {
    'OS-EXT-SRV-ATTR:host': server.host,
    'OS-EXT-SRV-ATTR:instance_name': `instance-${server.id}`,
    'OS-EXT-SRV-ATTR:hypervisor_hostname': server.host,
    ...(version.atLeast(3)
      ? {
          'OS-EXT-SRV-ATTR:reservation_id': server.reservationId,
          'OS-EXT-SRV-ATTR:launch_index': server.launchIndex,
          'OS-EXT-SRV-ATTR:hostname': server.hostname,
          'OS-EXT-SRV-ATTR:kernel_id': server.image.kernel?.id ?? '',
          'OS-EXT-SRV-ATTR:ramdisk_id': server.image.ramdisk?.id ?? '',
          'OS-EXT-SRV-ATTR:root_device_name': '/dev/vda',
          'OS-EXT-SRV-ATTR:user_data': server.userData,
        }
      : {}),
    ...(version.atLeast(16) ? { host_status: hostStatuses.get(server.host ?? '') ?? '' } : {}),
  };
}

/** What microversions have added for everyone, oldest first. */
function laterAttributes(server: Server, version: Microversion): Partial<ServerView> {
  return {
    ...(version.atLeast(9) ? { locked: server.lockedBy !== null } : {}),
    ...(version.atLeast(19) ? { description: server.description } : {}),
    ...(version.atLeast(26) ? { tags: server.tags } : {}),
    ...(version.atLeast(63) ? { trusted_image_certificates: null } : {}),
    ...(version.atLeast(71)
      ? { server_groups: server.groupId === null ? [] : [server.groupId] }
      : {}),
    ...(version.atLeast(73) ? { locked_reason: server.lockedReason } : {}),
    ...(version.atLeast(90) ? { 'OS-EXT-SRV-ATTR:hostname': server.hostname } : {}),
    ...(version.atLeast(96) ? { pinned_availability_zone: server.scheduling.zone ?? null } : {}),
    ...(version.atLeast(100) ? { scheduler_hints: server.scheduling.hints ?? {} } : {}),
  };
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** `2026-01-31T12:00:00Z`: without fractions, as Nova writes it. */
function time(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Distinguishes the hosts of a project's servers, and reveals nothing else; empty without a host. */
export function hostIdOf(of: { readonly host: string | null; readonly projectId: string }): string {
  return of.host === null ? '' : hash('sha224', of.projectId + of.host, 'hex');
}
