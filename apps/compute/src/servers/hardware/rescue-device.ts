/**
 * The place of an image's disk during a rescue. Public sources: Nova user guide, "Rescue an
 * instance", "Stable device instance rescue"; nova, `virt/libvirt/blockinfo.py`, get_rescue_bus.
 * Pure.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  DISK_BUSES,
  RESCUE_CDROM_BUSES,
  type RescueDevice,
} from '../../hypervisor/ports/guest-hardware.js';
import { oneOf, type Texts } from './hardware-values.js';

const KINDS = ['disk', 'cdrom', 'floppy'] as const;

/**
 * @param image properties of the rescue image
 * @param machine of the server
 * @returns undefined if the image names none: its disk then takes the place of the server's own
 * @throws InvalidInputError naming what is not supported
 */
export function rescueDeviceOf(image: Texts, machine: string): RescueDevice | undefined {
  const kind = oneOf(image, 'hw_rescue_device', KINDS);
  if (kind === undefined && image['hw_rescue_bus'] === undefined) return undefined;
  const isQ35 = machine.includes('q35');
  const device = deviceOf(image, kind ?? 'disk', isQ35);
  if (device.bus !== 'ide' || !isQ35) return device;
  throw new InvalidInputError(
    "Invalid input: hw_rescue_bus 'ide' is not offered: a q35 has no IDE.",
  );
}

/** Without a bus of the rescue, that of the image's disks of the kind. */
function deviceOf(image: Texts, kind: (typeof KINDS)[number], isQ35: boolean): RescueDevice {
  switch (kind) {
    case 'disk': {
      const own = oneOf(image, 'hw_disk_bus', DISK_BUSES) ?? 'virtio';
      return { kind, bus: oneOf(image, 'hw_rescue_bus', DISK_BUSES) ?? own };
    }
    case 'cdrom': {
      const standard = isQ35 ? 'sata' : 'ide';
      const own = RESCUE_CDROM_BUSES.find((bus) => bus === image['hw_cdrom_bus']) ?? standard;
      return { kind, bus: oneOf(image, 'hw_rescue_bus', RESCUE_CDROM_BUSES) ?? own };
    }
    case 'floppy':
      return { kind, bus: oneOf(image, 'hw_rescue_bus', ['fdc']) ?? 'fdc' };
  }
}
