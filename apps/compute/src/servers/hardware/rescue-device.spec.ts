import { expect, it } from '@jest/globals';
import { rescueDeviceOf } from './rescue-device.js';

type Texts = Record<string, string>;

it('is undefined if the image names none', () => {
  expect(rescueDeviceOf({ hw_disk_bus: 'scsi' }, 'pc')).toBeUndefined();
});

it.each<[Texts, string, string, string]>([
  [{ hw_rescue_device: 'disk' }, 'pc', 'disk', 'virtio'],
  [{ hw_rescue_bus: 'usb' }, 'pc', 'disk', 'usb'],
  [{ hw_rescue_device: 'disk', hw_disk_bus: 'scsi' }, 'pc', 'disk', 'scsi'],
  [{ hw_rescue_device: 'cdrom' }, 'pc', 'cdrom', 'ide'],
  [{ hw_rescue_device: 'cdrom' }, 'pc-q35-7.2', 'cdrom', 'sata'],
  [{ hw_rescue_device: 'cdrom', hw_cdrom_bus: 'scsi' }, 'pc', 'cdrom', 'scsi'],
  [{ hw_rescue_device: 'cdrom', hw_rescue_bus: 'scsi' }, 'q35', 'cdrom', 'scsi'],
  [{ hw_rescue_device: 'floppy' }, 'q35', 'floppy', 'fdc'],
])('of %j on a %s is a %s at %s', (image, machine, kind, bus) => {
  expect(rescueDeviceOf(image, machine)).toEqual({ kind, bus });
});

it.each<[Texts, string, string]>([
  [{ hw_rescue_device: 'lun' }, 'pc', "hw_rescue_device 'lun' is not offered"],
  [{ hw_rescue_device: 'cdrom', hw_rescue_bus: 'virtio' }, 'pc', "hw_rescue_bus 'virtio'"],
  [{ hw_rescue_device: 'floppy', hw_rescue_bus: 'ide' }, 'pc', "hw_rescue_bus 'ide'"],
  [{ hw_rescue_bus: 'ide' }, 'q35', 'a q35 has no IDE'],
])('%j on a %s is refused by name', (image, machine, message) => {
  expect(() => rescueDeviceOf(image, machine)).toThrow(message);
});
