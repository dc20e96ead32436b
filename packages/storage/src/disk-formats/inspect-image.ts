/**
 * Inspects a disk image by a few of its bytes. It may have another format than its owner says, or name
 * files of the host as its backing or data, so it is inspected before any program reads it that would
 * follow such a name.
 */
import { compressed } from './compressed.js';
import { formatName, type DiskFormat, type FormatFacts, type FormatReader } from './disk-format.js';
import type { ImageBytes } from './image-bytes.js';
import { iso9660 } from './iso9660.js';
import { luks } from './luks.js';
import { parallels } from './parallels.js';
import { partitionTable, type PartitionTable } from './partition-table.js';
import { qcow2 } from './qcow2.js';
import { qed } from './qed.js';
import { vdi } from './vdi.js';
import { vhd } from './vhd.js';
import { vhdx } from './vhdx.js';
import { vmdk } from './vmdk.js';

export interface ImageFacts extends FormatFacts {
  readonly format: DiskFormat;
  /** The partition table of a raw disk; an ISO image that is also a disk has one too. */
  readonly partitions: PartitionTable | undefined;
}

const READERS: readonly FormatReader[] = [
  qcow2,
  qed,
  vmdk,
  vhdx,
  vdi,
  parallels,
  luks,
  ...compressed,
  iso9660,
  vhd,
];

/** Never throws, whatever the bytes are. */
export function inspectImage(image: ImageBytes): ImageFacts {
  const partitions = partitionTable(image);
  const [reader, other] = READERS.filter((one) => one.isIn(image));
  if (!reader) return { format: 'raw', virtualSize: image.size, faults: [], partitions };
  const { virtualSize, faults } = reader.read(image);
  const names = other ? [reader.format, other.format].map(formatName).join(' and ') : undefined;
  return {
    format: reader.format,
    virtualSize,
    // Two programs would take it for two different disks.
    faults: names === undefined ? faults : [`is ${names} at once`, ...faults],
    partitions,
  };
}
