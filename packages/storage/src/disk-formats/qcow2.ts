/** Public source: QEMU, docs/interop/qcow2.txt. Its numbers are big-endian. */
import { damaged, factsOf, type FormatReader } from './disk-format.js';
import { holds } from './image-bytes.js';

const MAGIC = Buffer.from([0x51, 0x46, 0x49, 0xfb]);

const V2_HEADER_BYTES = 72;
const V3_HEADER_BYTES = 104;

/** Bits of the incompatible features. Any that this list does not name is refused. */
const DIRTY = 1n << 0n;
const DATA_FILE = 1n << 2n;
const COMPRESSION = 1n << 3n;
const EXTENDED_L2 = 1n << 4n;
const HARMLESS = DIRTY | COMPRESSION | EXTENDED_L2;

export const qcow2: FormatReader = {
  format: 'qcow2',

  isIn: (image) => holds(image, 0, MAGIC),

  read(image) {
    const version = image.at(4, 4)?.readUInt32BE();
    if (version !== undefined && version !== 2 && version !== 3) {
      return damaged('qcow2', `its version is ${version}; only 2 and 3 are supported`);
    }
    const header = image.at(0, version === 3 ? V3_HEADER_BYTES : V2_HEADER_BYTES);
    if (!header) return damaged('qcow2', 'it ends within its header');
    const features = version === 3 ? header.readBigUInt64BE(72) : 0n;
    const faults = [
      ...(header.readBigUInt64BE(8) === 0n
        ? []
        : ['has a backing file; upload an image that is complete in itself']),
      ...(header.readUInt32BE(32) === 0 ? [] : ['is encrypted']),
      ...((features & DATA_FILE) === 0n
        ? []
        : ['keeps its data in an external file; upload one complete in itself']),
      ...((features & ~(HARMLESS | DATA_FILE)) === 0n
        ? []
        : ['is marked corrupt or uses qcow2 features that are unknown here']),
    ];
    return factsOf(header.readBigUInt64BE(24), faults);
  },
};
