import { Check, Entity, Unique } from 'typeorm';
import { heardWithin } from '@cumulet/common/hosts/heartbeats';
import { internal } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, id, integer, json, orNull, text } from '@cumulet/common/resources/field-type';
import { instant } from '../http/times.js';
import type { HostCpu } from './host-facts.js';

/** The zone of hosts whose aggregates name none. */
export const DEFAULT_ZONE = 'nova';

/** An agent that is silent for longer counts as dead; it reports every three seconds. */
export const SILENCE_SECONDS = 12;

/** SQL: whether a row of `hosts` is up. A host that is forced down is not, whatever it reports. */
export const IS_UP = `(NOT hosts.forced_down AND ${heardWithin(SILENCE_SECONDS)})`;

/** A hypervisor host, as its agent last described it, and what administrators decided about it. */
@Entity('hosts')
@Check('hosts_resources_check', 'vcpus > 0 AND memory_mb >= 0 AND disk_gb >= 0')
@Check('hosts_disabled_reason_check', 'disabled_reason IS NULL OR NOT enabled')
@Unique('hosts_number_key', ['number'])
@Unique('hosts_service_id_key', ['serviceId'])
@Unique('hosts_hypervisor_id_key', ['hypervisorId'])
export class Host extends rowOf({
  name: internal(text(), { primary: true, primaryKeyConstraintName: 'hosts_pkey' }),
  /** The ID of its service and its hypervisor until microversion 2.52. */
  number: internal(integer(), { generated: 'increment' }),
  serviceId: internal(id()),
  hypervisorId: internal(id()),
  hypervisorType: internal(text()),
  /** `7.2.22` */
  hypervisorVersion: internal(text()),
  vcpus: internal(integer()),
  memoryMb: internal(integer()),
  diskGb: internal(integer()),
  /** Free space for guests' disks, which grow as they are written to. */
  freeDiskGb: internal(integer(), { default: 0 }),
  address: internal(text(), { default: '127.0.0.1' }),
  cpu: internal(json<HostCpu>(), { default: () => `'{}'` }),
  /** As `uptime` prints it. */
  uptime: internal(text(), { default: '' }),
  /** The address of the host's API, for what only the host can read (consoles). */
  apiUrl: internal(orNull(text())),
  /** Whether servers may be placed on it. */
  enabled: internal(flag(), { default: true }),
  disabledReason: internal(orNull(text())),
  forcedDown: internal(flag(), { default: false }),
  /** The zone of its aggregates; null for the default one. Only `aggregates/aggregates.service.ts` writes it. */
  zone: internal(orNull(text())),
  seenAt: internal(instant),
  isUp: { ...internal(flag()), virtual: () => IS_UP },
}) {}

/** Sums of the servers that have claimed a host, written only by triggers of `servers`. */
@Entity('host_usage')
export class HostUsage extends rowOf({
  host: internal(text(), { primary: true, primaryKeyConstraintName: 'host_usage_pkey' }),
  vcpus: internal(integer(), { type: 'bigint' }),
  memoryMb: internal(integer(), { type: 'bigint' }),
  diskGb: internal(integer(), { type: 'bigint' }),
}) {}
