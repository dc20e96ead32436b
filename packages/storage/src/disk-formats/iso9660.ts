/** Public source: ECMA-119 (ISO 9660) and ECMA-167 (UDF), volume descriptors. */
import { damaged, type FormatReader } from './disk-format.js';

/** The first descriptor follows a system area of 16 sectors. */
const DESCRIPTOR_AT = 32_768;
const DESCRIPTOR_BYTES = 2048;

/** The standard's name in the first descriptor: ISO 9660, or UDF alone. */
const STANDARDS = ['CD001', 'BEA01', 'NSR02', 'NSR03'];

const PRIMARY_VOLUME = 1;

export const iso9660: FormatReader = {
  format: 'iso',

  isIn: (image) => STANDARDS.includes(image.at(DESCRIPTOR_AT + 1, 5)?.toString('latin1') ?? ''),

  read(image) {
    const descriptor = image.at(DESCRIPTOR_AT, DESCRIPTOR_BYTES);
    if (!descriptor) return damaged('iso', 'it ends within its first volume descriptor');
    const isVolume =
      descriptor[0] === PRIMARY_VOLUME && descriptor.toString('latin1', 1, 6) === 'CD001';
    const blocks = descriptor.readUInt32LE(80);
    const blockBytes = descriptor.readUInt16LE(128);
    const volumeBytes = isVolume ? blocks * blockBytes : 0;
    return { virtualSize: volumeBytes > 0 ? volumeBytes : image.size, faults: [] };
  },
};
