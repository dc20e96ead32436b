/** A machine's statistics on the wire. Pure. */
import { answerClass, AdditionalProperties, Shown } from '@cumulet/common/http/shown';
import type { GuestDiagnostics, NicCounters } from '../../hypervisor/ports/guest-diagnostics.js';
import type { HostDescription } from '../../hypervisor/hypervisor-driver.js';
import type { Server } from '../server.entity.js';

/** Since 2.48. */
export function diagnosticsView(
  server: Pick<Server, 'memoryMb' | 'configDrive'>,
  { uptimeSeconds, cpus, memoryUsedKb, disks, nics }: GuestDiagnostics,
  { type, accelerator }: Pick<HostDescription, 'type' | 'accelerator'>,
) {
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

function nicDetails({ macAddress, received, sent }: NicCounters) {
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

/** Until 2.47: one flat object, with properties named after devices; memory is in KiB. */
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
export const CpuDetails = answerClass('CpuDetails', {
  id: Shown('integer', 'The number of the CPU.'),
  time: Shown('integer', 'The CPU time in nanoseconds.'),
  utilisation: Shown('integer', 'The utilisation in per cent; null, since it is not measured.', {
    nullable: true,
  }),
});

export const DiskDetails = answerClass('DiskDetails', {
  read_bytes: Shown('integer', 'Bytes read.'),
  read_requests: Shown('integer', 'Reads.'),
  write_bytes: Shown('integer', 'Bytes written.'),
  write_requests: Shown('integer', 'Writes.'),
  errors_count: Shown('integer', 'The failed reads and writes.'),
});

export const NicDetails = answerClass('NicDetails', {
  mac_address: Shown(String, 'The MAC address.'),
  rx_octets: Shown('integer', 'Bytes received.', { nullable: true }),
  rx_errors: Shown('integer', 'The received packets with errors.', { nullable: true }),
  rx_drop: Shown('integer', 'The received packets that were dropped.', {
    nullable: true,
  }),
  rx_packets: Shown('integer', 'Packets received.', { nullable: true }),
  rx_rate: Shown('integer', 'Not measured.', { nullable: true }),
  tx_octets: Shown('integer', 'Bytes sent.', { nullable: true }),
  tx_errors: Shown('integer', 'The sent packets with errors.', { nullable: true }),
  tx_drop: Shown('integer', 'The sent packets that were dropped.', { nullable: true }),
  tx_packets: Shown('integer', 'Packets sent.', { nullable: true }),
  tx_rate: Shown('integer', 'Not measured.', { nullable: true }),
});

export const MemoryDetails = answerClass('MemoryDetails', {
  maximum: Shown('integer', 'The memory of the server in MiB.'),
  used: Shown('integer', "The host's memory that the server uses, in MiB."),
});

/** Until 2.47 the properties are others, named after devices. */
export const ServerDiagnostics = answerClass('ServerDiagnostics', {
  state: Shown(String, 'The power state.', { since: 48, enum: ['running'] }),
  driver: Shown(String, 'The driver of Nova that the hypervisor resembles.', {
    since: 48,
    enum: ['libvirt'],
  }),
  hypervisor: Shown(String, 'The type of the hypervisor.', {
    since: 48,
    enum: ['kvm', 'qemu', 'simulated'],
  }),
  hypervisor_os: Shown(String, 'The operating system of the host.', { since: 48, enum: ['linux'] }),
  uptime: Shown('integer', 'The uptime of the machine in seconds.', { since: 48 }),
  config_drive: Shown(Boolean, 'Whether the server has a config drive.', { since: 48 }),
  num_cpus: Shown('integer', 'Virtual processors.', { since: 48 }),
  num_nics: Shown('integer', 'Number of NICs.', { since: 48 }),
  num_disks: Shown('integer', 'Disks.', { since: 48 }),
  cpu_details: Shown([() => CpuDetails], 'Its processors.', { since: 48 }),
  disk_details: Shown([() => DiskDetails], 'The disks, first the disk of the image.', {
    since: 48,
  }),
  nic_details: Shown([() => NicDetails], 'The NICs of the server.', { since: 48 }),
  memory_details: Shown(() => MemoryDetails, 'Its memory.', { since: 48 }),
});
AdditionalProperties()(ServerDiagnostics);
