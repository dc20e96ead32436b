/**
 * Writes a small ISO 9660 image with Joliet names (ECMA-119; "Joliet Specification", 1995), which
 * every system mounts, for config drives. Pure: the same input gives the same bytes.
 *
 * Always holds: both name trees share the file data; a directory record never crosses a sector; a
 * directory lists directories, then files, each in name order.
 */

const FIRST_DESCRIPTOR = 16;
const DIRECTORY_FLAG = 2;

/** Empty sectors as other writers leave: busybox's findfs reads 68 KiB at once. */
const PADDING_SECTORS = 150;

/** Path with `/` between names → content. Names are ASCII, lower case, at most 60 characters. */
type IsoFiles = ReadonlyMap<string, Uint8Array>;

/**
 * @param label the volume's name, at most 16 ASCII characters
 * @param time the timestamp of every file
 * @returns the image, a multiple of 2048 bytes
 */
export function iso9660Image(label: string, files: IsoFiles, time: Date): Buffer {
  const root = toTree(files);
  const directories = breadthFirst(root);
  const trees = [PRIMARY, JOLIET].map((names) => new NameTree(names, directories, time));

  let sector = FIRST_DESCRIPTOR + trees.length + 1;
  for (const tree of trees) sector = tree.place(sector);
  for (const directory of directories) {
    for (const file of directory.files) {
      file.sector = sector;
      sector += sectors(file.content.length);
    }
  }

  sector += PADDING_SECTORS;

  const image = Buffer.alloc(sector * SECTOR);
  trees.forEach((tree, index) => tree.write(image, FIRST_DESCRIPTOR + index, label, sector));
  image.write('\xffCD001\x01', (FIRST_DESCRIPTOR + trees.length) * SECTOR, 'latin1');
  for (const file of directories.flatMap((directory) => directory.files)) {
    image.set(file.content, file.sector * SECTOR);
  }
  return image;
}

interface IsoFile {
  readonly name: string;
  readonly content: Uint8Array;
  sector: number;
}

interface IsoDirectory {
  readonly name: string;
  readonly parent: IsoDirectory | undefined;
  readonly directories: IsoDirectory[];
  readonly files: IsoFile[];
}

/** A tree's form of names, and its description. */
interface Naming {
  readonly descriptorType: number;
  readonly escape: string;
  text(value: string): Buffer;
  fileName(name: string): Buffer;
  directoryName(name: string): Buffer;
}

/** Names as ISO 9660 writes them; longer than its strictest level allows, which readers accept. */
const PRIMARY: Naming = {
  descriptorType: 1,
  escape: '',
  text: (value) => Buffer.from(value, 'latin1'),
  fileName: (name) => Buffer.from(`${name.toUpperCase()};1`, 'latin1'),
  directoryName: (name) => Buffer.from(name.toUpperCase(), 'latin1'),
};

/** Names in big-endian UCS-2, which `%/E` announces. */
const JOLIET: Naming = {
  descriptorType: 2,
  escape: '%/E',
  text: (value) => Buffer.from(value, 'utf16le').swap16(),
  fileName: (name) => Buffer.from(name, 'utf16le').swap16(),
  directoryName: (name) => Buffer.from(name, 'utf16le').swap16(),
};

/** A tree over the directories: its records, path tables and descriptor. */
class NameTree {
  private readonly sectorOf = new Map<IsoDirectory, number>();
  private pathTableSector = 0;

  constructor(
    private readonly names: Naming,
    private readonly directories: readonly IsoDirectory[],
    private readonly time: Date,
  ) {}

  /** Allocates sectors from `sector` on; returns the first free one. */
  place(sector: number): number {
    this.pathTableSector = sector;
    // Each of the two path tables (low byte first, high byte first) has sectors of its own.
    let next = sector + 2 * sectors(this.pathTable('LE').length);
    for (const directory of this.directories) {
      this.sectorOf.set(directory, next);
      next += sectors(this.records(directory).length);
    }
    return next;
  }

  write(image: Buffer, descriptorSector: number, label: string, volumeSectors: number): void {
    image.set(this.descriptor(label, volumeSectors), descriptorSector * SECTOR);
    const little = this.pathTable('LE');
    image.set(little, this.pathTableSector * SECTOR);
    image.set(this.pathTable('BE'), (this.pathTableSector + sectors(little.length)) * SECTOR);
    for (const directory of this.directories) {
      image.set(this.records(directory), this.sector(directory) * SECTOR);
    }
  }

  /** A directory's sector; 0 during layout, as no size depends on it. */
  private sector(directory: IsoDirectory): number {
    return this.sectorOf.get(directory) ?? 0;
  }

  private records(directory: IsoDirectory): Buffer {
    const self = this.directoryRecord(Buffer.from([0]), directory);
    const parent = this.directoryRecord(Buffer.from([1]), directory.parent ?? directory);
    const children = directory.directories.map((child) =>
      this.directoryRecord(this.names.directoryName(child.name), child),
    );
    const files = directory.files.map((file) =>
      record(this.names.fileName(file.name), file.sector, file.content.length, 0, this.time),
    );
    return packIntoSectors([self, parent, ...children, ...files]);
  }

  private directoryRecord(name: Buffer, directory: IsoDirectory): Buffer {
    // The size depends on names alone, so this does not recurse.
    const size = sectors(this.recordBytes(directory)) * SECTOR;
    return record(name, this.sector(directory), size, DIRECTORY_FLAG, this.time);
  }

  private recordBytes(directory: IsoDirectory): number {
    const names = [
      Buffer.alloc(1),
      Buffer.alloc(1),
      ...directory.directories.map((child) => this.names.directoryName(child.name)),
      ...directory.files.map((file) => this.names.fileName(file.name)),
    ];
    return packIntoSectors(names.map((name) => record(name, 0, 0, 0, this.time))).length;
  }

  private pathTable(order: 'LE' | 'BE'): Buffer {
    return Buffer.concat(
      this.directories.map((directory) => {
        const name = directory.parent ? this.names.directoryName(directory.name) : Buffer.alloc(1);
        const entry = Buffer.alloc(8 + name.length + (name.length % 2));
        const parentNumber = this.directories.indexOf(directory.parent ?? directory) + 1;
        entry[0] = name.length;
        if (order === 'LE') {
          entry.writeUInt32LE(this.sector(directory), 2);
          entry.writeUInt16LE(parentNumber, 6);
        } else {
          entry.writeUInt32BE(this.sector(directory), 2);
          entry.writeUInt16BE(parentNumber, 6);
        }
        entry.set(name, 8);
        return entry;
      }),
    );
  }

  private descriptor(label: string, volumeSectors: number): Buffer {
    const root = this.directories[0];
    if (root === undefined) throw new Error('an ISO image has a root directory');
    const table = this.pathTable('LE').length;
    const sector = Buffer.alloc(SECTOR);
    const text = (offset: number, length: number, value: string): void => {
      const blank = this.names.text(' ');
      for (let at = offset; at + blank.length <= offset + length; at += blank.length) {
        sector.set(blank, at);
      }
      sector.set(this.names.text(value), offset);
    };
    sector[0] = this.names.descriptorType;
    sector.write('CD001\x01', 1, 'latin1');
    text(8, 32, '');
    text(40, 32, label);
    writeBoth32(sector, 80, volumeSectors);
    sector.write(this.names.escape, 88, 'latin1');
    writeBoth16(sector, 120, 1);
    writeBoth16(sector, 124, 1);
    writeBoth16(sector, 128, SECTOR);
    writeBoth32(sector, 132, table);
    sector.writeUInt32LE(this.pathTableSector, 140);
    sector.writeUInt32BE(this.pathTableSector + sectors(table), 148);
    sector.set(this.directoryRecord(Buffer.alloc(1), root), 156);
    text(190, 4 * 128 + 3 * 37, '');
    // Created, modified; zeros for no expiry and immediate validity.
    sector.set(longDate(this.time), 813);
    sector.set(longDate(this.time), 830);
    sector.set(longDate(undefined), 847);
    sector.set(longDate(undefined), 864);
    sector[881] = 1;
    return sector;
  }
}

function toTree(files: IsoFiles): IsoDirectory {
  const root: IsoDirectory = { name: '', parent: undefined, directories: [], files: [] };
  for (const path of [...files.keys()].sort()) {
    const names = path.split('/');
    const fileName = names.pop() ?? '';
    let directory = root;
    for (const name of names) {
      let child = directory.directories.find((candidate) => candidate.name === name);
      if (child === undefined) {
        child = { name, parent: directory, directories: [], files: [] };
        directory.directories.push(child);
      }
      directory = child;
    }
    directory.files.push({
      name: fileName,
      content: files.get(path) ?? Buffer.alloc(0),
      sector: 0,
    });
  }
  return root;
}

/** Level by level, so that every parent comes before its children. */
function breadthFirst(root: IsoDirectory): IsoDirectory[] {
  const found = [root];
  for (const directory of found) found.push(...directory.directories);
  return found;
}

/** Building blocks of an ISO 9660 image (ECMA-119). Pure. */

export const SECTOR = 2048;

/** A directory's entry ("9.1 Format of a Directory Record"). */
export function record(
  name: Buffer,
  sector: number,
  size: number,
  flags: number,
  time: Date,
): Buffer {
  const bytes = 33 + name.length;
  const out = Buffer.alloc(bytes + (bytes % 2));
  out[0] = out.length;
  writeBoth32(out, 2, sector);
  writeBoth32(out, 10, size);
  out.set(
    [
      time.getUTCFullYear() - 1900,
      time.getUTCMonth() + 1,
      time.getUTCDate(),
      time.getUTCHours(),
      time.getUTCMinutes(),
      time.getUTCSeconds(),
      0,
    ],
    18,
  );
  out[25] = flags;
  writeBoth16(out, 28, 1);
  out[32] = name.length;
  out.set(name, 33);
  return out;
}

/** No record crosses a sector. */
function packIntoSectors(records: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  let used = 0;
  for (const next of records) {
    const left = SECTOR - (used % SECTOR);
    if (next.length > left) {
      parts.push(Buffer.alloc(left));
      used += left;
    }
    parts.push(next);
    used += next.length;
  }
  return Buffer.concat(parts);
}

/** 17 bytes: digits to the hundredth, then the offset from UTC. */
function longDate(time: Date | undefined): Buffer {
  const digits = time === undefined ? '' : time.toISOString().replace(/\D/g, '').slice(0, 16);
  return Buffer.from(`${digits.padEnd(16, '0')}\0`, 'latin1');
}

/** Little-endian, then big-endian. */
function writeBoth16(out: Buffer, offset: number, value: number): void {
  out.writeUInt16LE(value, offset);
  out.writeUInt16BE(value, offset + 2);
}

function writeBoth32(out: Buffer, offset: number, value: number): void {
  out.writeUInt32LE(value, offset);
  out.writeUInt32BE(value, offset + 4);
}

export function sectors(bytes: number): number {
  return Math.ceil(bytes / SECTOR);
}
