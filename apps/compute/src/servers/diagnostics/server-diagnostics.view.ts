/** The figures of a machine on the wire. Pure. */
import { AdditionalProperties, Shown } from '@cumulet/common/http/shown';
import type { GuestDiagnostics, NicCounters } from '../../hypervisor/ports/guest-diagnostics.js';
import type { HostDescription } from '../../hypervisor/hypervisor-driver.js';
import type { Server } from '../server.entity.js';

/** Since 2.48. */
export function diagnosticsView(
  server: Pick<Server, 'memoryMb' | 'configDrive'>,
  { uptimeSeconds, cpus, memoryUsedKb, disks, nics }: GuestDiagnostics,
  { type, accelerator }: Pick<HostDescription, 'type' | 'accelerator'>,
): ServerDiagnostics {
  return {
    state: 'running',
    driver: 'libvirt',
    hypervisor: type === 'simulated' ? type : accelerator === 'kvm' ? 'kvm' : 'qemu',
    hypervisor_os: 'linux',
    uptime: uptimeSeconds,
    config_drive: server.configDrive,
    num_cpus: cpus.length,
    num_nics: nics.length,
    num_disks: disks.length,
    cpu_details: cpus.map(({ id, time }) => ({ id, time, utilisation: null })),
    disk_details: disks.map((disk) => ({
      read_bytes: disk.readBytes,
      read_requests: disk.readRequests,
      write_bytes: disk.writeBytes,
      write_requests: disk.writeRequests,
      errors_count: disk.errors,
    })),
    nic_details: nics.map(nicDetails),
    memory_details: { maximum: server.memoryMb, used: Math.floor(memoryUsedKb / 1024) },
  };
}

function nicDetails({ macAddress, received, sent }: NicCounters): NicDetails {
  return {
    mac_address: macAddress,
    rx_octets: received?.bytes ?? null,
    rx_errors: received?.errors ?? null,
    rx_drop: received?.dropped ?? null,
    rx_packets: received?.packets ?? null,
    rx_rate: null,
    tx_octets: sent?.bytes ?? null,
    tx_errors: sent?.errors ?? null,
    tx_drop: sent?.dropped ?? null,
    tx_packets: sent?.packets ?? null,
    tx_rate: null,
  };
}

/** Until 2.47: one flat object, whose names have those of the devices in them; memory is in KiB. */
export function flatDiagnosticsView(
  { memoryMb }: Pick<Server, 'memoryMb'>,
  { cpus, memoryUsedKb, disks, nics }: GuestDiagnostics,
): Record<string, number> {
  return Object.fromEntries([
    ...cpus.map(({ id, time }) => [`cpu${id}_time`, time]),
    ...disks.flatMap((disk) => [
      [`${disk.device}_errors`, disk.errors],
      [`${disk.device}_read`, disk.readBytes],
      [`${disk.device}_read_req`, disk.readRequests],
      [`${disk.device}_write`, disk.writeBytes],
      [`${disk.device}_write_req`, disk.writeRequests],
    ]),
    ...nics.flatMap(flatNic),
    ['memory', memoryMb * 1024],
    ['memory-rss', memoryUsedKb],
  ]) as Record<string, number>;
}

function flatNic({ device, received, sent }: NicCounters): [string, number][] {
  if (device === undefined) return [];
  return [['rx', received] as const, ['tx', sent] as const].flatMap(
    ([direction, counters]): [string, number][] =>
      counters === undefined
        ? []
        : [
            [`${device}_${direction}`, counters.bytes],
            [`${device}_${direction}_drop`, counters.dropped],
            [`${device}_${direction}_errors`, counters.errors],
            [`${device}_${direction}_packets`, counters.packets],
          ],
  );
}

/** Diagnostics since 2.48. Public source: Nova API reference, "Servers diagnostics". */
export class CpuDetails {
  @Shown('integer', 'Its number.')
  id: number;

  @Shown('integer', 'Nanoseconds for which it has run.')
  time: number;

  @Shown('integer', 'Per cent; not measured.', { nullable: true })
  utilisation: number | null;
}

export class DiskDetails {
  @Shown('integer', 'Bytes read.')
  read_bytes: number;

  @Shown('integer', 'Reads.')
  read_requests: number;

  @Shown('integer', 'Bytes written.')
  write_bytes: number;

  @Shown('integer', 'Writes.')
  write_requests: number;

  @Shown('integer', 'Reads and writes that failed.')
  errors_count: number;
}

export class NicDetails {
  @Shown(String, 'Its address.')
  mac_address: string;

  @Shown('integer', 'Bytes received.', { nullable: true })
  rx_octets: number | null;

  @Shown('integer', 'Packets that were not received for an error.', { nullable: true })
  rx_errors: number | null;

  @Shown('integer', 'Packets that were dropped before they were received.', { nullable: true })
  rx_drop: number | null;

  @Shown('integer', 'Packets received.', { nullable: true })
  rx_packets: number | null;

  @Shown('integer', 'Not measured.', { nullable: true })
  rx_rate: number | null;

  @Shown('integer', 'Bytes sent.', { nullable: true })
  tx_octets: number | null;

  @Shown('integer', 'Packets that were not sent for an error.', { nullable: true })
  tx_errors: number | null;

  @Shown('integer', 'Packets that were dropped before they were sent.', { nullable: true })
  tx_drop: number | null;

  @Shown('integer', 'Packets sent.', { nullable: true })
  tx_packets: number | null;

  @Shown('integer', 'Not measured.', { nullable: true })
  tx_rate: number | null;
}

export class MemoryDetails {
  @Shown('integer', 'MiB that the server has.')
  maximum: number;

  @Shown('integer', 'MiB that it takes of the memory of its host.')
  used: number;
}

/** Until 2.47 it has other properties, named after the devices. */
@AdditionalProperties()
export class ServerDiagnostics {
  @Shown(String, 'Of the machine.', { since: 48, enum: ['running'] })
  state: string;

  @Shown(String, "Which of Nova's drivers it is like.", { since: 48, enum: ['libvirt'] })
  driver: string;

  @Shown(String, 'What runs the machine.', { since: 48, enum: ['kvm', 'qemu', 'simulated'] })
  hypervisor: string;

  @Shown(String, 'The operating system of the host.', { since: 48, enum: ['linux'] })
  hypervisor_os: string;

  @Shown('integer', 'Seconds for which the machine runs.', { since: 48 })
  uptime: number;

  @Shown(Boolean, 'Whether it has a config drive.', { since: 48 })
  config_drive: boolean;

  @Shown('integer', 'Virtual processors.', { since: 48 })
  num_cpus: number;

  @Shown('integer', 'Network cards.', { since: 48 })
  num_nics: number;

  @Shown('integer', 'Disks.', { since: 48 })
  num_disks: number;

  @Shown([() => CpuDetails], 'Its processors.', { since: 48 })
  cpu_details: CpuDetails[];

  @Shown([() => DiskDetails], 'Its disks, the first being that of its image.', { since: 48 })
  disk_details: DiskDetails[];

  @Shown([() => NicDetails], 'Its cards.', { since: 48 })
  nic_details: NicDetails[];

  @Shown(() => MemoryDetails, 'Its memory.', { since: 48 })
  memory_details: MemoryDetails;
}
