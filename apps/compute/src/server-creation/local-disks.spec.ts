import { describe, expect, it } from '@jest/globals';
import type { BlockDeviceDto } from '../servers/dto/block-device.dto.js';
import { localDisksOf } from './local-disks.js';

const SIZES = { ephemeralGb: 10, swapMb: 512 };

function of(devices: readonly Partial<BlockDeviceDto>[], sizes = SIZES): unknown {
  return localDisksOf(
    devices.map((one, at) => [at, { source_type: 'blank', ...one }] as const),
    sizes,
  );
}

it("are the flavor's if the client names none", () => {
  expect(of([])).toEqual([
    { sizeMb: 10_240, format: 'ext4', label: 'ephemeral0' },
    { sizeMb: 512, format: 'swap' },
  ]);
  expect(of([], { ephemeralGb: 0, swapMb: 0 })).toEqual([]);
});

it('are divided as the client requests', () => {
  const devices = [
    { volume_size: 4, guest_format: 'ext3', tag: 'logs', boot_index: -1 },
    { volume_size: 6, guest_format: '' },
    { volume_size: 256, guest_format: 'swap', tag: 'swap' },
  ];
  expect(of(devices)).toEqual([
    { sizeMb: 4096, format: 'ext3', label: 'ephemeral0', tag: 'logs' },
    { sizeMb: 6144, format: 'ext4', label: 'ephemeral1' },
    { sizeMb: 256, format: 'swap', tag: 'swap' },
  ]);
});

describe('are refused', () => {
  it.each<[Partial<BlockDeviceDto>[], RegExp]>([
    [[{ volume_size: 11 }], /Ephemeral disks requested are larger/],
    [[{ volume_size: 6 }, { volume_size: 6 }], /Ephemeral disks requested are larger/],
    [[{ guest_format: 'swap', volume_size: 513 }], /Swap drive requested is larger/],
    [[{ guest_format: 'swap' }, { guest_format: 'swap' }], /More than one swap drive/],
    [[{ guest_format: 'ntfs' }], /0\.guest_format 'ntfs' is not offered/],
    [[{ boot_index: 0 }], /boot_index '0' is not offered/],
    [[{ device_type: 'cdrom' }], /device_type 'cdrom' is not offered/],
    [[{ disk_bus: 'scsi' }], /disk_bus 'scsi' is not offered/],
    [Array.from({ length: 8 }, () => ({ volume_size: 1 })), /at most 7 local disks/],
  ])('with %j', (devices, message) => {
    expect(() => of(devices)).toThrow(message);
  });
});
