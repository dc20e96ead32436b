/**
 * Judges a disk image by its first bytes, before any program that follows its references reads it.
 * `@cumulet/storage/disk-formats` names the format; this decides what a guest can use it for.
 */
import { formatName, type DiskFormat } from '@cumulet/storage/disk-formats/disk-format';
import { imageStart } from '@cumulet/storage/disk-formats/image-bytes';
import { inspectImage } from '@cumulet/storage/disk-formats/inspect-image';
import { withFile } from '@cumulet/common/files/durable-file';
import { HypervisorError } from './hypervisor-error.js';

export const SECTOR_BYTES = 512;

/** Formats that are raw disks; an ISO image can be a guest's disk, too. */
const RAW_DISKS: readonly DiskFormat[] = ['raw', 'iso'];

/** A disk that a guest writes over, or a file that is loaded at boot. */
export type BaseImageKind = 'raw' | 'qcow2' | 'kernel' | 'ramdisk';

const KINDS: ReadonlyMap<string, BaseImageKind> = new Map([
  ['raw', 'raw'],
  ['ami', 'raw'],
  ['qcow2', 'qcow2'],
  ['aki', 'kernel'],
  ['ari', 'ramdisk'],
]);

/** By `disk_format`. Throws `bad-image` for an unsupported one. */
export function imageKind(imageId: string, diskFormat: string): BaseImageKind {
  const kind = KINDS.get(diskFormat);
  if (kind === undefined) {
    const known = [...KINDS.keys()].join(', ');
    throw badImage(imageId, `has disk format ${diskFormat}; guests boot from ${known}`);
  }
  return kind;
}

/** Throws `bad-image` if the image is not what its kind says, or is not safe to open. */
export function refuseUnsafeImage(imageId: string, kind: BaseImageKind, head: Buffer): void {
  if (head.length === 0) throw badImage(imageId, 'is empty');
  switch (kind) {
    case 'raw': {
      const { format } = inspectImage(imageStart(head));
      if (RAW_DISKS.includes(format)) return;
      throw badImage(imageId, `has disk format raw, but its data is ${formatName(format)}`);
    }
    case 'qcow2': {
      const { format, faults } = inspectImage(imageStart(head));
      if (format !== 'qcow2') {
        const found = format === 'raw' ? 'not' : formatName(format);
        throw badImage(imageId, `has disk format qcow2, but its data is ${found}`);
      }
      const [worst] = faults;
      if (worst !== undefined) throw badImage(imageId, worst);
      return;
    }
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

/** Bytes of the disk that a guest sees. */
export function qcow2VirtualSize(head: Buffer): number {
  return Number(head.readBigUInt64BE(24));
}

/** The name of the file under this qcow2 layer, if there is one. */
export function qcow2BackingFile(head: Buffer): string | undefined {
  const offset = Number(head.readBigUInt64BE(8));
  return offset === 0 ? undefined : head.toString('utf8', offset, offset + head.readUInt32BE(16));
}

/** A bzImage ("The Linux/x86 Boot Protocol", header magic) or an ELF file. */
function isKernel(head: Buffer): boolean {
  const bzImage = hasBootSignature(head) && head.toString('latin1', 0x202, 0x206) === 'HdrS';
  return bzImage || head.toString('latin1', 0, 4) === '\x7fELF';
}

/** @param what completes `Image <id> …` */
export function badImage(imageId: string, what: string): HypervisorError {
  return new HypervisorError('bad-image', `Image ${imageId} ${what}.`);
}

/** At most the first `bytes` of a file. */
export async function readHead(path: string, bytes: number): Promise<Buffer> {
  return withFile(path, 'r', async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  });
}
