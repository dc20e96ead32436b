/** Public source: QEMU, docs/interop/qed_spec.txt. Its numbers are little-endian. */
import { damaged, factsOf, type FormatReader } from './disk-format.js';
import { holds } from './image-bytes.js';

const MAGIC = Buffer.from('QED\0');
const HEADER_BYTES = 64;

/** Recognised only to be refused: nothing has written this format for years. */
export const qed: FormatReader = {
  format: 'qed',

  isIn: (image) => holds(image, 0, MAGIC),

  read(image) {
    const header = image.at(0, HEADER_BYTES);
    if (!header) return damaged('qed', 'it ends within its header');
    return factsOf(header.readBigUInt64LE(48), ['is a qed file, which is not supported']);
  },
};
