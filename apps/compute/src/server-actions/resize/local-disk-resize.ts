/**
 * Local disks of a server that gets another flavor. Pure. Public source: Nova,
 * `virt/libvirt/driver.py`, migrate_disk_and_power_off and finish_migration.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Flavor } from '../../flavors/flavor.resource.js';
import type { LocalDisk } from '../../hypervisor/ports/guest-spec.js';
import { MAX_LOCAL_DISKS, newEphemeralDisk } from '../../server-creation/local-disks.js';
import type { Server } from '../../servers/server.entity.js';

type Numbered = LocalDisk & { readonly at: number };
type Disks = Pick<Server, 'localDisks' | 'flavor'>;
type Sizes = Pick<Flavor, 'ephemeralGb' | 'swapMb'>;

const MIB_PER_GIB = 1024;

/**
 * Ephemeral disks keep their content. A single disk with all of the flavor's room grows with the
 * flavor; several, as the client divided them, keep their sizes. Swap of another size is made anew,
 * beside the old one until the resize is confirmed.
 * @throws InvalidInputError for fewer gigabytes of ephemeral disks
 */
export function resizedDisks(server: Disks, flavor: Sizes): LocalDisk[] {
  const before = server.localDisks.map((disk, index) => ({ ...disk, at: disk.at ?? index }));
  const disks = [
    ...ephemeralDisks(before, server.flavor.ephemeralGb ?? 0, flavor),
    ...swapDisks(before, server.flavor.swapMb ?? 0, flavor),
  ];
  if (disks.length <= MAX_LOCAL_DISKS) return disks;
  throw new InvalidInputError(
    `Invalid input: a server has at most ${MAX_LOCAL_DISKS} local disks.`,
  );
}

function ephemeralDisks(
  before: readonly Numbered[],
  formerGb: number,
  { ephemeralGb }: Sizes,
): LocalDisk[] {
  const disks = before.filter(({ format }) => format !== 'swap');
  const sizeMb = disks.reduce((sum, disk) => sum + disk.sizeMb, 0) || formerGb * MIB_PER_GIB;
  if (ephemeralGb * MIB_PER_GIB < sizeMb)
    throw new InvalidInputError(
      `Server disk was unable to be resized because: Unable to resize disk down, from ${sizeMb / MIB_PER_GIB} GB to ${ephemeralGb} GB of ephemeral disks.`,
    );
  if (disks.length === 0 && ephemeralGb > 0)
    return [{ ...newEphemeralDisk(ephemeralGb), at: freeNumber(before) }];
  const hadAll = disks.length === 1 && sizeMb === formerGb * MIB_PER_GIB;
  return hadAll ? disks.map((disk) => ({ ...disk, sizeMb: ephemeralGb * MIB_PER_GIB })) : disks;
}

function swapDisks(before: readonly Numbered[], formerMb: number, { swapMb }: Sizes): LocalDisk[] {
  const disks = before.filter(({ format }) => format === 'swap');
  if (swapMb === formerMb) return disks;
  if (swapMb === 0) return [];
  const tag = disks[0]?.tag;
  // After a new ephemeral disk's.
  const at = freeNumber([...before, { at: freeNumber(before) }]);
  return [{ sizeMb: swapMb, format: 'swap', at, ...(tag === undefined ? {} : { tag }) }];
}

function freeNumber(taken: readonly { readonly at: number }[]): number {
  const numbers = new Set(taken.map(({ at }) => at));
  let number = 0;
  while (numbers.has(number)) number += 1;
  return number;
}
