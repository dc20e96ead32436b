/** What the disk of a rescue is to a guest whose own disks keep their places. Plain data. */
import type { DiskBus } from './guest-hardware.js';

export const RESCUE_CDROM_BUSES = ['scsi', 'sata', 'ide'] as const;

export type RescueDevice =
  | { readonly kind: 'disk'; readonly bus: DiskBus }
  | { readonly kind: 'cdrom'; readonly bus: (typeof RESCUE_CDROM_BUSES)[number] }
  | { readonly kind: 'floppy'; readonly bus: 'fdc' };
