/**
 * Judges a disk image by its first bytes alone. A guest's owner uploaded them: a header can claim
 * a format that it is not, or name files of the host as its backing or data. So this is read
 * before any program that would follow such a name is run on the image.
 */
import { HypervisorError } from './hypervisor-error.js';

/** How many bytes of an image's start the functions here want, or all where it has fewer. */
export const IMAGE_HEAD_BYTES = 64 * 1024;

export const SECTOR_BYTES = 512;

/** What an image is for: a disk that a guest writes over, or a file that is loaded at boot. */
export type BaseImageKind = 'raw' | 'qcow2' | 'kernel' | 'ramdisk';

const KINDS: ReadonlyMap<string, BaseImageKind> = new Map([
  ['raw', 'raw'],
  ['ami', 'raw'],
  ['qcow2', 'qcow2'],
  ['aki', 'kernel'],
  ['ari', 'ramdisk'],
]);

/**
 * The kind that a `disk_format` of the images service stands for.
 * Throws `bad-image` for one that this driver cannot use.
 */
export function imageKind(imageId: string, diskFormat: string): BaseImageKind {
  const kind = KINDS.get(diskFormat);
  if (kind === undefined) {
    const known = [...KINDS.keys()].join(', ');
    throw badImage(imageId, `has disk format ${diskFormat}; guests boot from ${known}`);
  }
  return kind;
}

/** Throws `bad-image` where the image is not what its kind says, or is not safe to open. */
export function refuseUnsafeImage(imageId: string, kind: BaseImageKind, head: Buffer): void {
  if (head.length === 0) throw badImage(imageId, 'is empty');
  const found = sniff(head);
  switch (kind) {
    case 'raw':
      if (found !== undefined)
        throw badImage(imageId, `has disk format raw, but its data is ${found}`);
      return;
    case 'qcow2':
      if (found !== 'qcow2') {
        throw badImage(imageId, `has disk format qcow2, but its data is ${found ?? 'not'}`);
      }
      refuseUnsafeQcow2(imageId, head);
      return;
    case 'kernel':
      if (!isKernel(head)) throw badImage(imageId, 'has disk format aki, but holds no x86 kernel');
      return;
    case 'ramdisk':
      return;
  }
}

/** Whether a disk's first sector carries the mark that a BIOS (or a GPT disk's MBR) needs. */
export function hasBootSignature(sector: Buffer): boolean {
  return sector.length >= SECTOR_BYTES && sector[510] === 0x55 && sector[511] === 0xaa;
}

/** The size in bytes of the disk that a guest sees in this qcow2 image. */
export function qcow2VirtualSize(head: Buffer): number {
  return Number(head.readBigUInt64BE(24));
}

/** The name of the file under this qcow2 layer, where there is one. */
export function qcow2BackingFile(head: Buffer): string | undefined {
  const offset = Number(head.readBigUInt64BE(8));
  return offset === 0 ? undefined : head.toString('utf8', offset, offset + head.readUInt32BE(16));
}

/**
 * "The qcow2 image format" (QEMU, docs/interop/qcow2.txt): the header's fields and the bits of
 * its incompatible features. Bits that this list does not name are refused unseen.
 */
const INCOMPATIBLE_DIRTY = 1n << 0n;
const INCOMPATIBLE_DATA_FILE = 1n << 2n;
const INCOMPATIBLE_COMPRESSION = 1n << 3n;
const INCOMPATIBLE_EXTENDED_L2 = 1n << 4n;
const HARMLESS = INCOMPATIBLE_DIRTY | INCOMPATIBLE_COMPRESSION | INCOMPATIBLE_EXTENDED_L2;
const QCOW2_V2_HEADER_BYTES = 72;
const QCOW2_V3_HEADER_BYTES = 104;

function refuseUnsafeQcow2(imageId: string, head: Buffer): void {
  const version = head.length >= QCOW2_V2_HEADER_BYTES ? head.readUInt32BE(4) : 0;
  if (version !== 2 && !(version === 3 && head.length >= QCOW2_V3_HEADER_BYTES)) {
    throw badImage(imageId, 'is a damaged qcow2 file');
  }
  if (head.readBigUInt64BE(8) !== 0n) {
    throw badImage(imageId, 'has a backing file; upload an image that is complete in itself');
  }
  if (head.readUInt32BE(32) !== 0) throw badImage(imageId, 'is encrypted');
  const features = version === 3 ? head.readBigUInt64BE(72) : 0n;
  if ((features & INCOMPATIBLE_DATA_FILE) !== 0n) {
    throw badImage(imageId, 'keeps its data in an external file; upload one complete in itself');
  }
  if ((features & ~HARMLESS) !== 0n) {
    throw badImage(imageId, 'is marked corrupt or uses qcow2 features that are unknown here');
  }
}

const MAGICS: readonly { name: string; offset: number; magic: Buffer }[] = [
  { name: 'qcow2', offset: 0, magic: Buffer.from([0x51, 0x46, 0x49, 0xfb]) },
  { name: 'qed', offset: 0, magic: Buffer.from('QED\0') },
  { name: 'vmdk', offset: 0, magic: Buffer.from('KDMV') },
  { name: 'vmdk', offset: 0, magic: Buffer.from('COWD') },
  { name: 'vmdk', offset: 0, magic: Buffer.from('# Disk DescriptorFile') },
  { name: 'vhdx', offset: 0, magic: Buffer.from('vhdxfile') },
  { name: 'vhd', offset: 0, magic: Buffer.from('conectix') },
  { name: 'vdi', offset: 64, magic: Buffer.from([0x7f, 0x10, 0xda, 0xbe]) },
  { name: 'parallels', offset: 0, magic: Buffer.from('WithoutFreeSpace') },
  { name: 'parallels', offset: 0, magic: Buffer.from('WithouFreSpacExt') },
  { name: 'luks', offset: 0, magic: Buffer.from([0x4c, 0x55, 0x4b, 0x53, 0xba, 0xbe]) },
  { name: 'gzip-compressed', offset: 0, magic: Buffer.from([0x1f, 0x8b]) },
  { name: 'xz-compressed', offset: 0, magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]) },
  { name: 'zstd-compressed', offset: 0, magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) },
  { name: 'bzip2-compressed', offset: 0, magic: Buffer.from('BZh') },
];

function sniff(head: Buffer): string | undefined {
  return MAGICS.find(({ offset, magic }) =>
    magic.equals(head.subarray(offset, offset + magic.length)),
  )?.name;
}

/** A bzImage ("The Linux/x86 Boot Protocol", header magic) or an ELF file. */
function isKernel(head: Buffer): boolean {
  const bzImage = hasBootSignature(head) && head.toString('latin1', 0x202, 0x206) === 'HdrS';
  return bzImage || head.toString('latin1', 0, 4) === '\x7fELF';
}

/** @param what goes on after `Image <id>` */
export function badImage(imageId: string, what: string): HypervisorError {
  return new HypervisorError('bad-image', `Image ${imageId} ${what}.`);
}
