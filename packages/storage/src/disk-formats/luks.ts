/** Public source: "LUKS1 On-Disk Format Specification" and "LUKS2 On-Disk Format Specification". */
import { damaged, factsOf, type FormatReader } from './disk-format.js';
import { holds } from './image-bytes.js';

const MAGIC = Buffer.from([0x4c, 0x55, 0x4b, 0x53, 0xba, 0xbe]);
const HEADER_BYTES = 592;
const SECTOR_BYTES = 512;

export const luks: FormatReader = {
  format: 'luks',

  isIn: (image) => holds(image, 0, MAGIC),

  read(image) {
    const header = image.at(0, HEADER_BYTES);
    if (!header) return damaged('luks', 'it ends within its header');
    const version = header.readUInt16BE(6);
    if (version !== 1 && version !== 2) {
      return damaged('luks', `its version is ${version}; only 1 and 2 are supported`);
    }
    // Version 2 gives the offset of its data in JSON, which no reader needs yet.
    if (version === 2 || image.size === undefined) return { virtualSize: undefined, faults: [] };
    const payload = image.size - header.readUInt32BE(104) * SECTOR_BYTES;
    return payload < 0 ? damaged('luks', 'it ends before its data') : factsOf(BigInt(payload));
  },
};
