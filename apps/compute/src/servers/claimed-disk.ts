import type { Server } from './server.entity.js';

/**
 * What a server takes of its host's disk, in GiB: the disks of its flavor, and its swap rounded up.
 * The sums by host count the same (`claimed_disk_gb` in the database). Public source: Nova admin
 * guide, "Flavors", and what it claims of placement.
 */
export function claimedDiskGb({ diskGb, flavor }: Pick<Server, 'diskGb' | 'flavor'>): number {
  return diskGb + (flavor.ephemeralGb ?? 0) + Math.ceil((flavor.swapMb ?? 0) / 1024);
}
