/** Public source: UEFI specification, "GUID Partition Table (GPT) Disk Layout". */
import { holds, type ImageBytes } from './image-bytes.js';

export type PartitionTable = 'gpt' | 'mbr';

const SECTOR_BYTES = 512;
const GPT_MAGIC = Buffer.from('EFI PART');

/** A disk's sectors have one of these sizes; a GPT begins in the second sector. */
const GPT_AT = [512, 4096];

const MBR_SIGNATURE = Buffer.from([0x55, 0xaa]);
const MBR_SIGNATURE_AT = 510;
const FIRST_ENTRY = 446;
const ENTRY_BYTES = 16;
const ENTRIES = 4;
/** The only flag allowed in an entry's first byte. */
const BOOTABLE = 0x80;

/** The partition table at the start of a disk; undefined if there is none. */
export function partitionTable(image: ImageBytes): PartitionTable | undefined {
  if (!holds(image, MBR_SIGNATURE_AT, MBR_SIGNATURE)) return undefined;
  if (GPT_AT.some((offset) => holds(image, offset, GPT_MAGIC))) return 'gpt';
  return hasPartition(image) ? 'mbr' : undefined;
}

/** A boot sector without partitions, as file systems may have, is not a table. */
function hasPartition(image: ImageBytes): boolean {
  const sector = image.at(0, SECTOR_BYTES);
  if (!sector) return false;
  return Array.from({ length: ENTRIES }, (_, index) => FIRST_ENTRY + index * ENTRY_BYTES).some(
    (entry) => {
      const isEntry = ((sector[entry] ?? 0) & ~BOOTABLE) === 0;
      return isEntry && sector[entry + 4] !== 0 && sector.readUInt32LE(entry + 12) !== 0;
    },
  );
}
