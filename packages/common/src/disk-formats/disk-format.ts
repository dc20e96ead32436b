/**
 * The formats that a disk image can have, and what a reader of one of them tells.
 *
 * Always holds: a format is what the bytes are, whatever their owner calls them. Bytes that no
 * reader knows are a raw disk.
 */
import type { ImageBytes } from './image-bytes.js';

export const COMPRESSIONS = ['gzip', 'xz', 'zstd', 'bzip2'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

export type DiskFormat =
  | 'raw'
  | 'qcow2'
  | 'qed'
  | 'vmdk'
  | 'vhd'
  | 'vhdx'
  | 'vdi'
  | 'iso'
  | 'luks'
  | 'parallels'
  | Compression;

export interface FormatFacts {
  /** Bytes of the disk that a guest sees; undefined where the bytes at hand do not tell. */
  readonly virtualSize: number | undefined;
  /**
   * Why the image must not be used as what it is, worst first: each goes on after `The image …`.
   * Empty where nothing speaks against it.
   */
  readonly faults: readonly string[];
}

/** Knows one format. Neither of its functions throws, whatever the bytes are. */
export interface FormatReader {
  readonly format: Exclude<DiskFormat, 'raw'>;
  isIn(image: ImageBytes): boolean;
  /** @param image is one that `isIn` has found to be of this format */
  read(image: ImageBytes): FormatFacts;
}

/** How people call a format: `its data is gzip-compressed`. */
export function formatName(format: DiskFormat): string {
  return isCompression(format) ? `${format}-compressed` : format;
}

export function isCompression(format: DiskFormat): format is Compression {
  return (COMPRESSIONS as readonly DiskFormat[]).includes(format);
}

/** Facts from a size in bytes as a header claims it, which may be absurd. */
export function factsOf(virtualSize: bigint, faults: readonly string[] = []): FormatFacts {
  if (virtualSize <= BigInt(Number.MAX_SAFE_INTEGER)) {
    return { virtualSize: Number(virtualSize), faults };
  }
  return { virtualSize: undefined, faults: [...faults, `claims a disk of ${virtualSize} bytes`] };
}

/** @param why completes `is a damaged … file:` */
export function damaged(format: DiskFormat, why: string): FormatFacts {
  return { virtualSize: undefined, faults: [`is a damaged ${format} file: ${why}`] };
}

/** The fault of an image that is only the difference to another one. */
export const NEEDS_PARENT =
  'is a differencing disk, which needs its parent; upload one that is complete in itself';
