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
