import { Check, Column, Entity, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
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

/** A server's copy of its user's key pair: that one may be deleted. */
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

/** What a client asks for about the host of a server (scheduler/scheduling-request.ts). */
export interface SchedulingRequest {
  /** The zone that it stays in: the one that was asked for. */
  readonly zone?: string;
  readonly host?: string;
  /** Whether the host was forced, by `zone:host`. */
  readonly isForced?: boolean;
  /** As the client sent them, for those who read them. */
  readonly hints?: Readonly<Record<string, unknown>>;
}

/** A host on which a server could not be built, and why. */
export interface TriedHost {
  readonly host: string;
  readonly reason: string;
}

@Entity('servers')
@Index('servers_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('servers_page_idx', ['createdAt', 'id'])
@Index('servers_project_state_idx', ['projectId', 'state', 'createdAt', 'id'])
@Index('servers_state_idx', ['state', 'createdAt', 'id'])
@Index('servers_project_name_idx', ['projectId', 'name', 'id'])
@Index('servers_name_idx', ['name', 'id'])
@Index('servers_reservation_idx', ['reservationId'])
// The migration makes it where Postgres has trigrams.
@Index('servers_name_trigrams_idx', { synchronize: false })
@Index('servers_host_idx', ['host'])
@Index('servers_snapshot_idx', ['id'], { where: '(snapshot IS NOT NULL)' })
@Check('servers_disk_config_check', `disk_config IN ('AUTO', 'MANUAL')`)
@Check('servers_nic_check', `nic IN ('none', 'isolated')`)
@Check('servers_returns_to_check', `returns_to IN ('active', 'stopped')`)
@Check('servers_locked_by_check', `locked_by IN ('owner', 'admin')`)
export class Server extends StatefulColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'servers_pkey' })
  id: ServerId;

  declare state: ServerState;
  declare previousState: ServerState | null;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column('text', { name: 'user_id' })
  userId: UserId;

  @Column('text')
  name: string;

  @Column('text')
  hostname: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('jsonb')
  flavor: FlavorSnapshot;

  @Column('integer')
  vcpus: number;

  @Column('integer', { name: 'memory_mb' })
  memoryMb: number;

  @Column('integer', { name: 'disk_gb' })
  diskGb: number;

  @Column('uuid', { name: 'image_id' })
  imageId: string;

  /** Enough to build the server again without asking for the image's name. */
  @Column('jsonb')
  image: BootImage;

  /** The image that is being made of it, or that it lives on as while it is shelved. */
  @Column('jsonb', { nullable: true })
  snapshot: Snapshot | null;

  /** Those beside the image's. */
  @Column('jsonb', { name: 'local_disks', default: [] })
  localDisks: LocalDisk[];

  /** By which its guest finds its disk. */
  @Column('text', { name: 'disk_tag', nullable: true })
  diskTag: string | null;

  /** The host that claimed it; null until it is placed. */
  @Column('text', { nullable: true })
  host: string | null;

  /** What its client asked for about its host. */
  @Column('jsonb', { default: () => `'{}'` })
  scheduling: SchedulingRequest;

  /** Where its build has failed, oldest first: it goes to none of these again. */
  @Column('jsonb', { name: 'tried_hosts', default: () => `'[]'` })
  triedHosts: readonly TriedHost[];

  /** The availability zone of its host; null for the default one, or without a host. */
  @VirtualColumn('text', { query: () => '(SELECT zone FROM hosts WHERE name = servers.host)' })
  zone: string | null;

  /** The server group that it is in. */
  @VirtualColumn('text', {
    query: () => '(SELECT group_id FROM server_group_members WHERE server_id = servers.id)',
  })
  groupId: string | null;

  /** What it boots in place of its disk while it is rescued. */
  @Column('jsonb', { name: 'rescue_image', nullable: true })
  rescueImage: BootImage | null;

  /** Where a server goes whose resize is confirmed, reverted or undone. */
  @Column('text', { name: 'returns_to', nullable: true })
  returnsTo: 'active' | 'stopped' | null;

  /** Whether the guest of one that is rescued or resized has gone off by itself. */
  @Column('boolean', { name: 'guest_off', default: false })
  guestOff: boolean;

  /** Who locked it against its project's members; null where nobody did. */
  @Column('text', { name: 'locked_by', nullable: true })
  lockedBy: 'owner' | 'admin' | null;

  @Column('text', { name: 'locked_reason', nullable: true })
  lockedReason: string | null;

  /** `isolated`: a card on no network, in a cloud without a network service. */
  @Column('text')
  nic: 'none' | 'isolated';

  /** Those of its network cards, as they were last seen. */
  @Column('jsonb', { default: () => `'[]'` })
  addresses: ServerAddress[];

  /** The names of its ports' security groups, as they were last seen. */
  @Column('text', { name: 'security_groups', array: true, default: () => `'{}'` })
  securityGroups: string[];

  /** By which its owner says that it is reached; null where nothing was said. */
  @Column('text', { name: 'access_ip_v4', nullable: true })
  accessIpV4: string | null;

  @Column('text', { name: 'access_ip_v6', nullable: true })
  accessIpV6: string | null;

  /** Whether its owner would have the cloud partition its disk: kept, without effect. */
  @Column('text', { name: 'disk_config', default: () => `'MANUAL'` })
  diskConfig: DiskConfig;

  @Column('jsonb', { default: () => `'{}'` })
  metadata: Record<string, string>;

  @Column('text', { array: true, default: () => `'{}'` })
  tags: string[];

  @Column('jsonb', { nullable: true })
  keypair: KeypairSnapshot | null;

  /** Base64, as the client sent it. */
  @Column('text', { name: 'user_data', nullable: true })
  userData: string | null;

  /** As the client sent them; each start of the guest writes them to its config drive. */
  @Column('jsonb', { name: 'injected_files', default: () => `'[]'` })
  injectedFiles: InjectedFile[];

  /** Sealed until the guest has it on its config drive. */
  @Column('text', { name: 'admin_password', nullable: true })
  adminPassword: string | null;

  /** As its guest has told it through the metadata service: encrypted for its key pair. */
  @Column('text', { name: 'guest_password', nullable: true })
  guestPassword: string | null;

  /** Whether the client asked for a config drive; every guest has one. */
  @Column('boolean', { name: 'config_drive', default: false })
  configDrive: boolean;

  /** Servers created by one request share it. */
  @Column('text', { name: 'reservation_id' })
  reservationId: string;

  @Column('integer', { name: 'launch_index', default: 0 })
  launchIndex: number;

  // Lists page by these times: they are as precise as a Date, or a marker would miss its row.
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;

  @Column({ type: 'timestamptz', name: 'launched_at', precision: 3, nullable: true })
  launchedAt: Date | null;

  /** Of one that was deleted, in the lists that ask for those; see ServerHistoryRepository. */
  deletedAt?: Date | null;
}

/**
 * What a server takes of its host's disk, in GiB: the disks of its flavor, and its swap rounded up.
 * The sums by host count the same (`claimed_disk_gb` in the database). Public source: Nova admin
 * guide, "Flavors", and what it claims of placement.
 */
export function claimedDiskGb({ diskGb, flavor }: Pick<Server, 'diskGb' | 'flavor'>): number {
  return diskGb + (flavor.ephemeralGb ?? 0) + Math.ceil((flavor.swapMb ?? 0) / 1024);
}
