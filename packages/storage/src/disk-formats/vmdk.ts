/**
 * Public source: VMware, "Virtual Disk Format 1.1". Its numbers are little-endian.
 *
 * A VMDK is a text that names the files of a disk, or such a file. Only kinds that embed their text
 * and are the one file that it names are self-contained.
 */
import { damaged, factsOf, type FormatFacts, type FormatReader } from './disk-format.js';
import { cut, holds, IMAGE_TAIL_BYTES, type ImageBytes } from './image-bytes.js';
import { descriptorFaults } from './vmdk-descriptor.js';

const SPARSE_MAGIC = Buffer.from('KDMV');
const ESX_SPARSE_MAGIC = Buffer.from('COWD');
const TEXT_START = '# disk descriptorfile';

const SECTOR_BYTES = 512;
const KNOWN_VERSIONS = [1, 2, 3];
/** Every reader looks for the descriptor in this sector, whatever the header says. */
const DESCRIPTOR_SECTOR = 1n;
const DIRECTORY_IN_FOOTER = 0xffff_ffff_ffff_ffffn;
const FOOTER_MARKER = 3;
/** A header's magic and version, the disk's size, and the descriptor's location. */
const DECIDING: readonly (readonly [number, number])[] = [
  [0, 8],
  [12, 20],
  [28, 44],
];

export const vmdk: FormatReader = {
  format: 'vmdk',

  isIn: (image) =>
    holds(image, 0, SPARSE_MAGIC) || holds(image, 0, ESX_SPARSE_MAGIC) || isText(image),

  read(image) {
    if (holds(image, 0, SPARSE_MAGIC)) return readSparse(image);
    const what = isText(image)
      ? 'is the descriptor of a vmdk, whose data is in other files'
      : 'is an extent of a vmdk, whose descriptor is in another file';
    return { virtualSize: undefined, faults: [`${what}; upload one complete in itself`] };
  },
};

/** A descriptor may have comments before the line that identifies it. */
function isText({ head }: ImageBytes): boolean {
  const text = head.toString('latin1');
  if (text.slice(0, TEXT_START.length).toLowerCase() === TEXT_START) return true;
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'));
  return first !== undefined && /^version=[123]\r?$/.test(first);
}

function readSparse(image: ImageBytes): FormatFacts {
  const header = image.at(0, SECTOR_BYTES);
  if (!header) return damaged('vmdk', 'it ends within its header');
  const version = header.readUInt32LE(4);
  if (!KNOWN_VERSIONS.includes(version)) {
    return damaged('vmdk', `its version is ${version}; ${KNOWN_VERSIONS.join(', ')} are supported`);
  }
  const sectors = header.readBigUInt64LE(12);
  // Some readers take a disk of no sectors for a descriptor and follow what it names.
  if (sectors === 0n) return damaged('vmdk', 'its disk has no sectors');
  const text = header.readBigUInt64LE(28) === DESCRIPTOR_SECTOR ? descriptor(image) : undefined;
  if (text === undefined) return damaged('vmdk', 'it has no descriptor where one belongs');
  const faults = [...descriptorFaults(text), ...footerFaults(image, header)];
  return factsOf(sectors * BigInt(SECTOR_BYTES), faults);
}

/** Readers end it at its first zero, whatever length the header gives. */
function descriptor({ head }: ImageBytes): string | undefined {
  const end = head.indexOf(0, SECTOR_BYTES);
  return end > SECTOR_BYTES ? head.toString('latin1', SECTOR_BYTES, end) : undefined;
}

/** A disk written as a stream has a second header at its end, which overrides the first. */
function footerFaults(image: ImageBytes, header: Buffer): string[] {
  if (header.readBigUInt64LE(56) !== DIRECTORY_IN_FOOTER || image.size === undefined) return [];
  const tail = image.at(image.size - IMAGE_TAIL_BYTES, IMAGE_TAIL_BYTES);
  const [marker, footer, end] = [0, 1, 2].map(
    (n) => tail && cut(tail, n * SECTOR_BYTES, SECTOR_BYTES),
  );
  const isWhole =
    image.size % SECTOR_BYTES === 0 &&
    marker?.readUInt32LE(8) === 0 &&
    marker.readUInt32LE(12) === FOOTER_MARKER &&
    end?.every((byte) => byte === 0) === true &&
    footer !== undefined &&
    footer.readBigUInt64LE(56) !== DIRECTORY_IN_FOOTER &&
    DECIDING.every(([start, stop]) =>
      footer.subarray(start, stop).equals(header.subarray(start, stop)),
    );
  return isWhole ? [] : ['is a damaged vmdk file: its footer does not match its header'];
}
