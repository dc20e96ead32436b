/** Diagnostics since 2.48. Public source: Nova API reference, "Servers diagnostics". */
import { AdditionalProperties, Shown } from '@cumulet/common/http/shown';

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
