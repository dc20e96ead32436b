import type { BootImage } from '../boot-image.js';

/** A disk of a guest beside the one of its image: empty at first, and gone with the guest. */
export const LOCAL_FORMATS = ['ext2', 'ext3', 'ext4'] as const;

export interface LocalDisk {
  readonly sizeMb: number;
  /** What it is made with. */
  readonly format: 'swap' | (typeof LOCAL_FORMATS)[number];
  /** Of its file system: `ephemeral0`. */
  readonly label?: string | undefined;
  /** The number of its file, which it keeps when others come and go; by default its place. */
  readonly at?: number | undefined;
  /** The guest's config drive tells which device has it. */
  readonly tag?: string | undefined;
}

/** A local disk as a driver makes it. */
export interface GuestLocalDisk extends LocalDisk {
  /** Image of the disk that it was on another host: it is made as a copy of that, as large at least. */
  readonly content?: BootImage | undefined;
}

/** The number of a disk's file. @param index its place among the local disks */
export function numberOf({ at }: Pick<LocalDisk, 'at'>, index: number): number {
  return at ?? index;
}
