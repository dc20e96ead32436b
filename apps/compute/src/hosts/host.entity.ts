import { Check, Column, Entity, Generated, PrimaryColumn, Unique, VirtualColumn } from 'typeorm';
import { heardWithin } from '@cumulet/common/hosts/heartbeats';
import type { HostCpu } from './host-facts.js';

/** The zone of hosts that no aggregate puts into another. */
export const DEFAULT_ZONE = 'nova';

/** A hypervisor host, as its agent last described it, and what administrators decided about it. */
@Entity('hosts')
@Check('hosts_resources_check', 'vcpus > 0 AND memory_mb >= 0 AND disk_gb >= 0')
@Check('hosts_disabled_reason_check', 'disabled_reason IS NULL OR NOT enabled')
@Unique('hosts_number_key', ['number'])
@Unique('hosts_service_id_key', ['serviceId'])
@Unique('hosts_hypervisor_id_key', ['hypervisorId'])
export class Host {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'hosts_pkey' })
  name: string;

  /** The id of its service and its hypervisor until microversion 2.52. */
  @Column('integer')
  @Generated('increment')
  number: number;

  @Column('uuid', { name: 'service_id' })
  serviceId: string;

  @Column('uuid', { name: 'hypervisor_id' })
  hypervisorId: string;

  @Column('text', { name: 'hypervisor_type' })
  hypervisorType: string;

  /** `7.2.22` */
  @Column('text', { name: 'hypervisor_version' })
  hypervisorVersion: string;

  @Column('integer')
  vcpus: number;

  @Column('integer', { name: 'memory_mb' })
  memoryMb: number;

  @Column('integer', { name: 'disk_gb' })
  diskGb: number;

  /** What is really free where guests' disks are: they grow as they are written to. */
  @Column('integer', { name: 'free_disk_gb', default: 0 })
  freeDiskGb: number;

  @Column('text', { default: '127.0.0.1' })
  address: string;

  @Column('jsonb', { default: () => `'{}'` })
  cpu: HostCpu;

  /** As the command of this name prints it. */
  @Column('text', { default: '' })
  uptime: string;

  /** The address of the host's own API, for what only it can read (consoles). */
  @Column('text', { name: 'api_url', nullable: true })
  apiUrl: string | null;

  /** An operator may take a host out of scheduling. */
  @Column('boolean', { default: true })
  enabled: boolean;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  /** Somebody has fenced the host: it is down, whatever its agent reports. */
  @Column('boolean', { name: 'forced_down', default: false })
  forcedDown: boolean;

  /** What the host's aggregates say; null is the default zone. Only `aggregates/aggregates.service.ts` writes it. */
  @Column('text', { nullable: true })
  zone: string | null;

  @Column('timestamptz', { name: 'seen_at' })
  seenAt: Date;

  @VirtualColumn('boolean', { query: () => IS_UP })
  isUp: boolean;
}

/** What the servers that have claimed a host take. Triggers of `servers` keep it; nothing else writes it. */
@Entity('host_usage')
export class HostUsage {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'host_usage_pkey' })
  host: string;

  @Column('bigint')
  vcpus: number;

  @Column('bigint', { name: 'memory_mb' })
  memoryMb: number;

  @Column('bigint', { name: 'disk_gb' })
  diskGb: number;
}

/** An agent that has been silent for longer than this is dead; it reports every three seconds. */
export const SILENCE_SECONDS = 12;

/** SQL: whether a row of `hosts` is up. Who fenced a host says so, and is believed. */
export const IS_UP = `(NOT hosts.forced_down AND ${heardWithin(SILENCE_SECONDS)})`;
