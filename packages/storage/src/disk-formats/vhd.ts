/**
 * Public source: Microsoft, "Virtual Hard Disk Image Format Specification". Its numbers are
 * big-endian. A fixed disk is raw data followed by a footer; a dynamic one begins with a copy of
 * its footer.
 */
import { damaged, factsOf, NEEDS_PARENT, type FormatReader } from './disk-format.js';
import { holds, type ImageBytes } from './image-bytes.js';

const MAGIC = Buffer.from('conectix');
const FOOTER_BYTES = 512;

const FIXED = 2;
const DYNAMIC = 3;
const DIFFERENCING = 4;

export const vhd: FormatReader = {
  format: 'vhd',

  isIn: (image) => holds(image, 0, MAGIC) || hasFooter(image),

  read(image) {
    const isDynamic = holds(image, 0, MAGIC);
    const footer = image.at(isDynamic ? 0 : footerOffset(image), FOOTER_BYTES);
    if (!footer) return damaged('vhd', 'it ends within its header');
    const type = footer.readUInt32BE(60);
    if (type === DIFFERENCING) return { virtualSize: undefined, faults: [NEEDS_PARENT] };
    if (type !== (isDynamic ? DYNAMIC : FIXED)) {
      return damaged('vhd', `its footer has the type ${type}`);
    }
    if (isDynamic && image.size !== undefined && !hasFooter(image)) {
      return damaged('vhd', 'it does not end with its footer');
    }
    return factsOf(footer.readBigUInt64BE(48));
  },
};

function hasFooter(image: ImageBytes): boolean {
  return holds(image, footerOffset(image), MAGIC);
}

/** Negative, so that nothing is read, for an image that is too short or whose end is unknown. */
function footerOffset({ size }: ImageBytes): number {
  return (size ?? 0) - FOOTER_BYTES;
}
