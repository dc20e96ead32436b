/** The figures of a machine on the wire. Pure. */
import type { GuestDiagnostics, NicCounters } from '../../hypervisor/ports/guest-diagnostics.js';
import type { HostDescription } from '../../hypervisor/hypervisor-driver.js';
import type { Server } from '../server.entity.js';
import type { NicDetails, ServerDiagnostics } from './server-diagnostics.answers.js';

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
