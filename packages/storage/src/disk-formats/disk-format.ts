/**
 * The formats that a disk image can have, and what a format's reader reports.
 *
 * Always holds: the bytes decide the format, whatever their owner calls it. Bytes that no reader
 * recognises are a raw disk.
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
  /** Bytes of the disk that a guest sees; undefined if the available bytes do not tell. */
  readonly virtualSize: number | undefined;
  /**
   * Why the image must not be used in this format, worst first: each completes `The image …`. Empty
   * if there is no objection.
   */
  readonly faults: readonly string[];
}

/** Recognises one format. Neither of its functions throws, whatever the bytes are. */
export interface FormatReader {
  readonly format: Exclude<DiskFormat, 'raw'>;
  isIn(image: ImageBytes): boolean;
  /** @param image one that `isIn` has recognised */
  read(image: ImageBytes): FormatFacts;
}

/** The format's name in a sentence: `its data is gzip-compressed`. */
export function formatName(format: DiskFormat): string {
  return isCompression(format) ? `${format}-compressed` : format;
}

export function isCompression(format: DiskFormat): format is Compression {
  return (COMPRESSIONS as readonly DiskFormat[]).includes(format);
}

/** Facts from the size in bytes that a header claims, which may be absurd. */
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

/** The fault of an image that only holds its differences from another. */
export const NEEDS_PARENT =
  'is a differencing disk, which needs its parent; upload one that is complete in itself';
