/** Public source: VirtualBox, include/VBox/vd.h and VDICore.h. Its numbers are little-endian. */
import { damaged, factsOf, NEEDS_PARENT, type FormatReader } from './disk-format.js';
import { holds } from './image-bytes.js';

const MAGIC = Buffer.from([0x7f, 0x10, 0xda, 0xbe]);
const MAGIC_AT = 64;
const HEADER_BYTES = 512;
const KNOWN_VERSION = 0x00010001;

/** Dynamic and static; then undo and differencing, which are useless without their parent. */
const WHOLE_TYPES = [1, 2];
const LAST_TYPE = 4;

/** The identifiers of this disk's parents in order; zero if it has none. */
const PARENTS = { at: 424, length: 32 };

export const vdi: FormatReader = {
  format: 'vdi',

  isIn: (image) => holds(image, MAGIC_AT, MAGIC),

  read(image) {
    const header = image.at(0, HEADER_BYTES);
    if (!header) return damaged('vdi', 'it ends within its header');
    const version = header.readUInt32LE(68);
    if (version !== KNOWN_VERSION) {
      return damaged('vdi', `its version is ${version >>> 16}.${version & 0xffff}, not 1.1`);
    }
    const type = header.readUInt32LE(76);
    if (type > LAST_TYPE) return damaged('vdi', `its type is ${type}`);
    const parents = header.subarray(PARENTS.at, PARENTS.at + PARENTS.length);
    const isWhole = WHOLE_TYPES.includes(type) && parents.every((byte) => byte === 0);
    return factsOf(header.readBigUInt64LE(368), isWhole ? [] : [NEEDS_PARENT]);
  },
};
