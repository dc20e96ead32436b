import { expect, it } from '@jest/globals';
import type { GuestDiagnostics } from '../../hypervisor/ports/guest-diagnostics.js';
import { diagnosticsView, flatDiagnosticsView } from './server-diagnostics.view.js';

const counters = { bytes: 2_070_139, packets: 26_701, errors: 1, dropped: 2 };
const statistics: GuestDiagnostics = {
  uptimeSeconds: 46_664,
  cpus: [{ id: 0, time: 17_300_000_000 }],
  memoryUsedKb: 100_000,
  disks: [
    { device: 'vda', readBytes: 1, readRequests: 2, writeBytes: 3, writeRequests: 4, errors: 5 },
  ],
  nics: [
    { macAddress: 'fa:16:3e:00:00:01', device: 'tap1', received: counters, sent: counters },
    { macAddress: 'fa:16:3e:00:00:02' },
  ],
};

it('has statistics by kind since 2.48, and null for what is not counted', () => {
  const server = { memoryMb: 512, configDrive: true };
  const view = diagnosticsView(server, statistics, { type: 'QEMU', accelerator: 'tcg' });
  expect(view).toMatchObject({
    state: 'running',
    hypervisor: 'qemu',
    uptime: 46_664,
    config_drive: true,
    num_cpus: 1,
    num_nics: 2,
    num_disks: 1,
    memory_details: { maximum: 512, used: 97 },
    disk_details: [
      { read_bytes: 1, read_requests: 2, write_bytes: 3, write_requests: 4, errors_count: 5 },
    ],
  });
  expect(view.nic_details.map((nic) => nic.rx_octets)).toEqual([2_070_139, null]);
  const kvm = diagnosticsView(server, statistics, { type: 'QEMU', accelerator: 'kvm' });
  expect(kvm.hypervisor).toBe('kvm');
});

it('is flat before, with the names of devices', () => {
  expect(flatDiagnosticsView({ memoryMb: 512 }, statistics)).toEqual({
    cpu0_time: 17_300_000_000,
    vda_read: 1,
    vda_read_req: 2,
    vda_write: 3,
    vda_write_req: 4,
    vda_errors: 5,
    tap1_rx: 2_070_139,
    tap1_rx_packets: 26_701,
    tap1_rx_errors: 1,
    tap1_rx_drop: 2,
    tap1_tx: 2_070_139,
    tap1_tx_packets: 26_701,
    tap1_tx_errors: 1,
    tap1_tx_drop: 2,
    memory: 524_288,
    'memory-rss': 100_000,
  });
});
