/** Public sources: RFC 1952 (gzip), RFC 8878 (zstd), "The .xz File Format", and bzip2 itself. */
import { COMPRESSIONS, type Compression, type FormatReader } from './disk-format.js';
import { holds } from './image-bytes.js';

const DEFLATE = 8;

const MAGICS: Record<Compression, Buffer> = {
  gzip: Buffer.from([0x1f, 0x8b, DEFLATE]),
  xz: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
  zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  bzip2: Buffer.from('BZh'),
};

/** Follows bzip2's short magic and a digit: the first block, or the end marker of an empty file. */
const BZIP2_BLOCKS = [
  Buffer.from([0x31, 0x41, 0x59, 0x26, 0x53, 0x59]),
  Buffer.from([0x17, 0x72, 0x45, 0x38, 0x50, 0x90]),
];

/** The content, and so its size, is unknown without unpacking. */
export const compressed: readonly FormatReader[] = COMPRESSIONS.map((format) => ({
  format,
  isIn: (image) =>
    holds(image, 0, MAGICS[format]) &&
    (format !== 'bzip2' || BZIP2_BLOCKS.some((block) => holds(image, 4, block))),
  read: () => ({ virtualSize: undefined, faults: [] }),
}));
