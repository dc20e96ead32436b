import { describe, expect, it } from '@jest/globals';
import { STANDARD_HARDWARE, type GuestHardware } from '../../hypervisor/ports/guest-hardware.js';
import { guestHardwareOf } from './hardware-properties.js';

type Texts = Record<string, string>;

it('is the standard by default', () => {
  expect(guestHardwareOf({}, {}, 2)).toEqual(STANDARD_HARDWARE);
});

it.each<[Texts, Texts, Partial<GuestHardware>]>([
  [{ hw_disk_bus: 'scsi' }, {}, { diskBus: 'scsi' }],
  [{ hw_cdrom_bus: 'sata' }, {}, { cdromBus: 'sata' }],
  [{ hw_vif_model: 'e1000' }, {}, { nicModel: 'e1000' }],
  [{ hw_machine_type: 'pc-q35-7.2' }, {}, { machine: 'pc-q35-7.2' }],
  [{ hw_firmware_type: 'uefi' }, {}, { firmware: 'uefi' }],
  [{ hw_video_model: 'none' }, {}, { video: 'none' }],
  [{ hw_video_ram: '32' }, { 'hw_video:ram_max_mb': '64' }, { videoMb: 32 }],
  [{ hw_input_bus: 'usb' }, {}, { inputBus: 'usb' }],
  [{ hw_serial_port_count: '2' }, { 'hw:serial_port_count': '3' }, { serialPorts: 2 }],
  [{}, { 'hw:serial_port_count': '3' }, { serialPorts: 3 }],
  [{ hw_qemu_guest_agent: 'yes' }, {}, { guestAgent: true }],
  [{ hw_qemu_guest_agent: 'no' }, {}, { guestAgent: false }],
  [{ os_require_quiesce: 'yes' }, {}, { requiresQuiesce: true }],
  [{ hw_rng_model: 'virtio' }, { 'hw_rng:allowed': 'false' }, { rng: undefined }],
  [
    {},
    { 'hw_rng:rate_bytes': '1000', 'hw_rng:rate_period': '500' },
    { rng: { bytes: 1000, periodMs: 500 } },
  ],
  [{ hw_boot_menu: 'true' }, {}, { bootMenu: true }],
  [{ hw_boot_menu: 'true' }, { 'hw:boot_menu': 'false' }, { bootMenu: false }],
  [{ hw_watchdog_action: 'pause' }, { 'hw:watchdog_action': 'reset' }, { watchdog: 'pause' }],
  [{}, { 'hw:watchdog_action': 'disabled' }, { watchdog: undefined }],
  [
    { hw_cpu_sockets: '4' },
    { 'hw:cpu_sockets': '2' },
    { topology: { sockets: 2, cores: 2, threads: 1 } },
  ],
  [
    {},
    { 'quota:disk_read_bytes_sec': '1024', 'quota:disk_total_iops_sec': '0' },
    { diskLimits: { readBytes: 1024 } },
  ],
  [
    {},
    { 'quota:cpu_shares': '512', 'quota:cpu_period': '20000', 'quota:cpu_quota': '10000' },
    { cpuLimits: { shares: 512, periodUs: 20_000, quotaUs: 10_000 } },
  ],
  [{}, { 'quota:cpu_quota': '-1', 'quota:cpu_shares': '0' }, { diskLimits: {} }],
])('of an image with %j and a flavor with %j is %j', (image, flavor, expected) => {
  expect(guestHardwareOf(image, flavor, 4)).toMatchObject(expected);
});

describe('refuses by name', () => {
  it.each<[Texts, Texts, string]>([
    [{ hw_disk_bus: 'fdc' }, {}, "hw_disk_bus 'fdc' is not offered: there are virtio, scsi"],
    [{ hw_vif_model: 'netfront' }, {}, "hw_vif_model 'netfront' is not offered"],
    [{ hw_machine_type: 's390' }, {}, "hw_machine_type 's390' is not offered"],
    [{ hw_machine_type: 'pc,accel=kvm' }, {}, "hw_machine_type 'pc,accel=kvm' is not offered"],
    [{ hw_machine_type: 'q35', hw_disk_bus: 'ide' }, {}, 'a q35 has no IDE'],
    [{ hw_serial_port_count: '3' }, { 'hw:serial_port_count': '2' }, 'hw:serial_port_count is 2'],
    [{}, { 'hw:serial_port_count': '5' }, "hw:serial_port_count '5' is not offered"],
    [{ hw_serial_port_count: 'two' }, {}, "hw_serial_port_count 'two' is not a number"],
    [{ hw_video_ram: '8' }, {}, "the flavor's hw_video:ram_max_mb is 0"],
    [{}, { 'quota:cpu_period': '999' }, "quota:cpu_period '999' is not a whole number from 1000"],
    [{}, { 'hw:cpu_policy': 'dedicated' }, "hw:cpu_policy 'dedicated' is not offered"],
    [{ hw_cpu_policy: 'dedicated' }, {}, "hw_cpu_policy 'dedicated' is not offered"],
    [{ os_secure_boot: 'required' }, {}, "os_secure_boot 'required' is not offered"],
    [{}, { 'hw:mem_page_size': 'large' }, "hw:mem_page_size 'large' is not offered"],
    [
      {},
      { 'hw:cpu_max_sockets': '1', 'hw:cpu_max_cores': '1', 'hw:cpu_max_threads': '1' },
      'leave no topology for 4 vCPUs',
    ],
  ])('of an image with %j and a flavor with %j', (image, flavor, message) => {
    expect(() => guestHardwareOf(image, flavor, 4)).toThrow(message);
  });

  it('nothing that is supported', () => {
    const flavor = { 'hw:cpu_policy': 'shared', 'hw:mem_page_size': 'any', 'hw:numa_nodes': '1' };
    expect(guestHardwareOf({ hw_mem_encryption: 'false' }, flavor, 4)).toEqual(STANDARD_HARDWARE);
  });
});
