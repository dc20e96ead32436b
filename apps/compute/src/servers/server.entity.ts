import { Check, Entity, Index } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { internal } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import {
  flag,
  id,
  integer,
  json,
  moment,
  orNull,
  text,
  texts,
} from '@cumulet/common/resources/field-type';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { BootImage } from '../hypervisor/boot-image.js';
import type { LocalDisk, InjectedFile } from '../hypervisor/ports/guest-spec.js';
import type { ServerState } from './server.states.js';
import type { Snapshot } from './snapshots/snapshot.js';

export type ServerId = Id<'Server'>;

/** A server's copy of its flavor, as it was when the server was created. */
export interface FlavorSnapshot {
  readonly id: string;
  readonly name: string;
  /** Absent from servers that are older than extra specs. */
  readonly extraSpecs?: Readonly<Record<string, string>>;
  /** Absent from servers that are older than such disks. */
  readonly ephemeralGb?: number;
  readonly swapMb?: number;
}

/** A server's copy of its user's key pair, which may be deleted. */
export interface KeypairSnapshot {
  readonly name: string;
  readonly type: 'ssh' | 'x509';
  readonly publicKey: string;
}

export const DISK_CONFIGS = ['AUTO', 'MANUAL'] as const;
export type DiskConfig = (typeof DISK_CONFIGS)[number];

/** An address of a server, with the name of its network. */
export interface ServerAddress {
  readonly network: string;
  readonly address: string;
  readonly version: 4 | 6;
  readonly type: 'fixed' | 'floating';
  readonly macAddress: string;
}

/** A client's requests for a server's host (scheduler/scheduling-request.ts). */
export interface SchedulingRequest {
  /** The requested zone, in which it stays. */
  readonly zone?: string;
  readonly host?: string;
  /** Whether the host was forced, by `zone:host`. */
  readonly isForced?: boolean;
  /** As the client sent them, for display. */
  readonly hints?: Readonly<Record<string, unknown>>;
}

/** A host on which a server could not be built, and why. */
export interface TriedHost {
  readonly host: string;
  readonly reason: string;
}

const SERVER = {
  id: internal(id<ServerId>(), { primary: true, primaryKeyConstraintName: 'servers_pkey' }),
  projectId: internal(text<ProjectId>()),
  userId: internal(text<UserId>()),
  name: internal(text()),
  hostname: internal(text()),
  description: internal(orNull(text())),
  flavor: internal(json<FlavorSnapshot>()),
  vcpus: internal(integer()),
  memoryMb: internal(integer()),
  diskGb: internal(integer()),
  imageId: internal(id()),
  /** Enough to build the server again without asking the images service. */
  image: internal(json<BootImage>()),
  /** The image being made of it, or under its disk while it is shelved. */
  snapshot: internal(orNull(json<Snapshot>())),
  localDisks: internal(json<LocalDisk[]>(), { default: [] }),
  /** The tag by which its guest finds its disk. */
  diskTag: internal(orNull(text())),
  /** Null until a host is claimed. */
  host: internal(orNull(text())),
  scheduling: internal(json<SchedulingRequest>(), { default: () => `'{}'` }),
  /** Hosts where its build failed, oldest first; it is not placed on these again. */
  triedHosts: internal(json<readonly TriedHost[]>(), { default: () => `'[]'` }),
  /** The availability zone of its host; null for the default one, or without a host. */
  zone: {
    ...internal(orNull(text())),
    virtual: () => '(SELECT zone FROM hosts WHERE name = servers.host)',
  },
  groupId: {
    ...internal(orNull(text())),
    virtual: () => '(SELECT group_id FROM server_group_members WHERE server_id = servers.id)',
  },
  /** The image that it boots in place of its disk during a rescue. */
  rescueImage: internal(orNull(json<BootImage>())),
  /** The state after a resize is confirmed, reverted or undone. */
  returnsTo: internal(orNull(text<'active' | 'stopped'>())),
  /** Whether the guest of a rescued or resized server has powered itself off. */
  guestOff: internal(flag(), { default: false }),
  /** Null while it is unlocked. */
  lockedBy: internal(orNull(text<'owner' | 'admin'>())),
  lockedReason: internal(orNull(text())),
  /** `isolated`: a NIC on no network, in a cloud without a network service. */
  nic: internal(text<'none' | 'isolated'>()),
  /** The addresses of its NICs, as last seen. */
  addresses: internal(json<ServerAddress[]>(), { default: () => `'[]'` }),
  /** The names of its ports' security groups, as last seen. */
  securityGroups: internal(texts, { default: () => `'{}'` }),
  /** The addresses by which its owner says that it is reached. */
  accessIpV4: internal(orNull(text())),
  accessIpV6: internal(orNull(text())),
  /** Stored without effect: whether the cloud is to partition the disk. */
  diskConfig: internal(text<DiskConfig>(), { default: () => `'MANUAL'` }),
  metadata: internal(json<Record<string, string>>(), { default: () => `'{}'` }),
  tags: internal(texts, { default: () => `'{}'` }),
  keypair: internal(orNull(json<KeypairSnapshot>())),
  /** Base64, as the client sent it. */
  userData: internal(orNull(text())),
  /** As the client sent them; each start writes them to the config drive. */
  injectedFiles: internal(json<InjectedFile[]>(), { default: () => `'[]'` }),
  /** Sealed until the guest has it on its config drive. */
  adminPassword: internal(orNull(text())),
  /** Posted by its guest to the metadata service, encrypted for its key pair. */
  guestPassword: internal(orNull(text())),
  /** Whether the client requested a config drive; every guest has one. */
  configDrive: internal(flag(), { default: false }),
  /** Shared by the servers of one request. */
  reservationId: internal(text()),
  launchIndex: internal(integer(), { default: 0 }),
  createdAt: internal(moment, { default: () => 'now()' }),
  updatedAt: internal(moment, { default: () => 'now()' }),
  launchedAt: internal(orNull(moment)),
} as const;

@Entity('servers')
@Index('servers_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('servers_page_idx', ['createdAt', 'id'])
@Index('servers_project_state_idx', ['projectId', 'state', 'createdAt', 'id'])
@Index('servers_state_idx', ['state', 'createdAt', 'id'])
@Index('servers_project_name_idx', ['projectId', 'name', 'id'])
@Index('servers_name_idx', ['name', 'id'])
@Index('servers_reservation_idx', ['reservationId'])
// The migration creates it if Postgres has trigrams.
@Index('servers_name_trigrams_idx', { synchronize: false })
@Index('servers_host_idx', ['host'])
@Index('servers_snapshot_idx', ['id'], { where: '(snapshot IS NOT NULL)' })
@Check('servers_disk_config_check', `disk_config IN ('AUTO', 'MANUAL')`)
@Check('servers_nic_check', `nic IN ('none', 'isolated')`)
@Check('servers_returns_to_check', `returns_to IN ('active', 'stopped')`)
@Check('servers_locked_by_check', `locked_by IN ('owner', 'admin')`)
export class Server extends rowOf(SERVER, StatefulColumns) {
  declare state: ServerState;
  declare previousState: ServerState | null;
  /** Only in lists with deleted servers; see ServerHistoryRepository. */
  deletedAt?: Date | null;
}

/**
 * A server's share of its host's disk, in GiB: its flavor's disks, and its swap rounded up. The
 * sums by host agree (`claimed_disk_gb` in the database). Public source: Nova admin guide,
 * "Flavors", and what it claims of placement.
 */
export function claimedDiskGb({ diskGb, flavor }: Pick<Server, 'diskGb' | 'flavor'>): number {
  return diskGb + (flavor.ephemeralGb ?? 0) + Math.ceil((flavor.swapMb ?? 0) / 1024);
}
