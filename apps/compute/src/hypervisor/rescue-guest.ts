import type { GuestSpec } from './ports/guest-spec.js';

/** A guest as its rescue alone would be: its images are those of the rescue, and its disk is theirs. */
export function rescueOf(guest: GuestSpec): GuestSpec | undefined {
  const { rescue } = guest;
  if (rescue === undefined) return undefined;
  const { kernel, ramdisk } = rescue;
  return { ...guest, image: rescue, kernel, ramdisk, diskGb: 0, rescue: undefined };
}
