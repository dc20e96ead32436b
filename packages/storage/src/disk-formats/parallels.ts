/** Public source: QEMU, docs/interop/parallels.txt. Its numbers are little-endian. */
import { damaged, factsOf, type FormatReader } from './disk-format.js';
import { holds } from './image-bytes.js';

const MAGIC = Buffer.from('WithoutFreeSpace');
const EXTENDED_MAGIC = Buffer.from('WithouFreSpacExt');
const HEADER_BYTES = 64;
const KNOWN_VERSION = 2;
const SECTOR_BYTES = 512n;

/** The disk format of Parallels and Virtuozzo; the images service calls it `ploop`. */
export const parallels: FormatReader = {
  format: 'parallels',

  isIn: (image) => holds(image, 0, MAGIC) || holds(image, 0, EXTENDED_MAGIC),

  read(image) {
    const header = image.at(0, HEADER_BYTES);
    if (!header) return damaged('parallels', 'it ends within its header');
    const version = header.readUInt32LE(16);
    if (version !== KNOWN_VERSION) {
      return damaged('parallels', `its version is ${version}; only ${KNOWN_VERSION} is supported`);
    }
    // The first version uses half of the digits; the rest mean nothing.
    const sectors = holds(image, 0, EXTENDED_MAGIC)
      ? header.readBigUInt64LE(36)
      : BigInt(header.readUInt32LE(36));
    return factsOf(sectors * SECTOR_BYTES);
  },
};
