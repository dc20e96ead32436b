/**
 * Public source: Microsoft, [MS-VHDX] "Virtual Hard Disk v2 (VHDX) File Format". Its numbers are
 * little-endian. The metadata lies far behind the image's first bytes: a table of regions points to
 * the table of metadata, which points to each item.
 */
import {
  damaged,
  factsOf,
  NEEDS_PARENT,
  type FormatFacts,
  type FormatReader,
} from './disk-format.js';
import { holds, type ImageBytes, type Span } from './image-bytes.js';

const MAGIC = Buffer.from('vhdxfile');

const KIB = 1024;
const REGION_TABLE: Span = { offset: 192 * KIB, length: 64 * KIB };
const REGION_MAGIC = Buffer.from('regi');
const FIRST_REGION = 16;
const METADATA_MAGIC = Buffer.from('metadata');
/** The table has 64 KiB, and the items follow it; those read here are small. */
const METADATA_BYTES = 128 * KIB;
/** An entry of either table; the metadata's header has the same length. */
const ENTRY_BYTES = 32;
const MAX_ENTRIES = 2047;
/** Everything before is the header. */
const FIRST_METADATA = 1024 * KIB;

const METADATA_REGION = guid('8b7ca206-4790-4b9a-b8fe-575f050f886e');
const VIRTUAL_DISK_SIZE = guid('2fa54224-cd1b-4876-b211-5dbed83bf4b8');
const FILE_PARAMETERS = guid('caa16737-fa36-4d43-b3b6-33f0aa44e76b');

const HAS_PARENT = 2;

export const vhdx: FormatReader = {
  format: 'vhdx',

  isIn: (image) => holds(image, 0, MAGIC),

  read(image) {
    if (!holds(image, REGION_TABLE.offset, REGION_MAGIC)) {
      return damaged('vhdx', 'it has no table of regions');
    }
    const metadata = metadataOffset(image);
    if (metadata === undefined || !holds(image, metadata, METADATA_MAGIC)) {
      return damaged('vhdx', 'its metadata is not where it belongs');
    }
    return readMetadata(image, metadata);
  },
};

/**
 * The ranges still needed beyond the image's head and tail, and beyond earlier calls.
 * Spans come in the order of their offsets.
 * @returns undefined when it needs no more
 */
export function nextSpan(image: ImageBytes): Span | undefined {
  if (!vhdx.isIn(image)) return undefined;
  if (!image.at(REGION_TABLE.offset, REGION_TABLE.length)) return REGION_TABLE;
  const offset = metadataOffset(image);
  if (offset === undefined || image.at(offset, METADATA_BYTES)) return undefined;
  return { offset, length: METADATA_BYTES };
}

function readMetadata(image: ImageBytes, metadata: number): FormatFacts {
  const size = item(image, metadata, VIRTUAL_DISK_SIZE, 8);
  const parameters = item(image, metadata, FILE_PARAMETERS, 8);
  if (!size || !parameters) return damaged('vhdx', 'its metadata lacks the size of the disk');
  const isWhole = (parameters.readUInt32LE(4) & HAS_PARENT) === 0;
  return factsOf(size.readBigUInt64LE(), isWhole ? [] : [NEEDS_PARENT]);
}

function metadataOffset(image: ImageBytes): number | undefined {
  const count = image.at(REGION_TABLE.offset + 8, 4)?.readUInt32LE() ?? 0;
  const region = entry(image, REGION_TABLE.offset + FIRST_REGION, count, METADATA_REGION);
  const offset = Number(region?.readBigUInt64LE(16) ?? 0n);
  return offset >= FIRST_METADATA && Number.isSafeInteger(offset) ? offset : undefined;
}

function item(image: ImageBytes, metadata: number, id: Buffer, length: number): Buffer | undefined {
  const count = image.at(metadata + 10, 2)?.readUInt16LE() ?? 0;
  const found = entry(image, metadata + ENTRY_BYTES, count, id);
  return found && image.at(metadata + found.readUInt32LE(16), length);
}

/** The entry of a table that begins with this identifier. */
function entry(image: ImageBytes, first: number, count: number, id: Buffer): Buffer | undefined {
  for (let index = 0; index < Math.min(count, MAX_ENTRIES); index += 1) {
    const bytes = image.at(first + index * ENTRY_BYTES, ENTRY_BYTES);
    if (!bytes || bytes.subarray(0, id.length).equals(id)) return bytes;
  }
  return undefined;
}

/** As Microsoft stores them: the first three groups have their bytes reversed. */
function guid(text: string): Buffer {
  const groups = text.split('-').map((group) => Buffer.from(group, 'hex'));
  return Buffer.concat(groups.map((group, index) => (index < 3 ? group.reverse() : group)));
}
