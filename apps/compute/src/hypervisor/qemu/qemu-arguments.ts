/**
 * QEMU's command line for a guest, as a list of arguments. Pure: the same guest and host give the
 * same list.
 *
 * Always holds: it contains nothing that a user chose freely (a name, metadata, user data); files
 * are named from the guest's folder, or by a descriptor, so that QEMU walks no path to it; the guest
 * gets what is named here and none of QEMU's defaults.
 */
import type { GuestImages } from '../guest-images.js';
import { HypervisorError } from '../hypervisor-error.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import type { Accelerator } from './accelerator.js';
import type { BaseImage } from './base-image-store.js';
import { CONSOLE_DEVICE } from './guest-console.js';
import { DISK, DISPLAY_SOCKET, QMP_SOCKET, type GuestFolder } from './guest-folder.js';
import { inheritedFiles, inheritedPath } from './inherited-files.js';
import { nicAddress, nicArguments } from './nic-arguments.js';

/** What the host adds to every guest. */
export interface GuestHost {
  readonly accelerator: Accelerator['name'];
  /** Whether QEMU can drop the system calls that it no longer needs. */
  readonly sandbox: boolean;
  /** The console's ring buffer, in bytes; a power of two. */
  readonly consoleRingBytes: number;
}

/** What QEMU must not do once it runs: start programs, change user or priorities. */
export const SANDBOX = 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny';

/**
 * Translated code of one guest, in MiB. QEMU's own default is an eighth of the host's memory up
 * to 1 GiB, which a dozen guests would multiply; a Linux boot fills about 60.
 */
const TRANSLATION_CACHE_MB = 128;

/**
 * All that TCG can translate, but for cmpxchg16b: QEMU 7.2 leaves garbage in the flags after it, and
 * Linux 6.12, which uses it in its memory allocator, panics within a minute.
 */
const EMULATED_CPU = 'max,-cx16';

/** The block device that the guest's disk is. */
export const DISK_NODE = 'disk';

/** Of the PCI bus; those before it are the board's and the random numbers'. */
const DISK_SLOT = 3;

/** Behind all others, whose numbers are a part of their names in many guests. */
const SCREEN_SLOT = '0x1e';

const DEFAULT_KERNEL_COMMAND_LINE = 'root=/dev/vda console=tty0 console=ttyS0';

/** The value of `-name`, by which the guest's process is found; of commas, QEMU reads two as one. */
export function machineName(folder: GuestFolder): string {
  return `guest=${folder.path.replaceAll(',', ',,')}`;
}

/** @param images the guest's cached images */
export function qemuArguments(
  guest: GuestSpec,
  folder: GuestFolder,
  images: GuestImages<BaseImage>,
  host: GuestHost,
): string[] {
  const files = inheritedFiles(guest, folder, images);
  const opened = (path: string): string => inheritedPath(files, path);
  return [
    ...['-name', machineName(folder), '-uuid', guest.id],
    ...['-nodefaults', '-no-user-config', '-display', 'none'],
    ...(host.sandbox ? ['-sandbox', SANDBOX] : []),
    ...['-machine', 'pc,usb=off,dump-guest-core=off', '-rtc', 'base=utc'],
    ...processor(guest, host.accelerator),
    ...['-m', `size=${wholeNumber(guest.memoryMb, 'memory')}M`],
    // A guest that powers off stays, to tell it from a machine that was killed.
    ...['-no-shutdown', '-boot', 'strict=on'],
    // In a sleep state a machine would neither run nor accept commands.
    ...['-global', 'PIIX4_PM.disable_s3=1', '-global', 'PIIX4_PM.disable_s4=1'],
    ...['-qmp', `unix:${QMP_SOCKET},server=on,wait=off`],
    ...['-chardev', `ringbuf,id=${CONSOLE_DEVICE},size=${host.consoleRingBytes}`],
    ...['-serial', `chardev:${CONSOLE_DEVICE}`],
    ...['-device', `VGA,addr=${SCREEN_SLOT}`, '-vnc', `unix:${DISPLAY_SOCKET}`],
    ...['-object', 'rng-random,id=rng0,filename=/dev/urandom'],
    ...['-device', 'virtio-rng-pci,rng=rng0'],
    ...['-device', 'pvpanic'],
    ...disk(images.base, opened),
    ...(guest.configDrive === undefined ? [] : configDrive(opened(folder.configDrive))),
    ...kernel(guest, images, opened),
    ...guest.nics.flatMap(nicArguments),
  ];
}

/**
 * The devices that have tags, as `meta_data.json` names them (Nova user guide, "Metadata: OpenStack
 * format").
 */
export function taggedDevices({ diskTag, nics }: GuestSpec): readonly object[] {
  const disk = { type: 'disk', bus: 'pci', address: `0000:00:0${DISK_SLOT}.0` };
  return [
    ...(diskTag === undefined ? [] : [{ ...disk, tags: [diskTag] }]),
    ...nics.flatMap(({ tag, macAddress: mac, position }) => {
      const address = nicAddress(position);
      if (tag === undefined || address === undefined) return [];
      const at = `0000:00:${address.toString(16).padStart(2, '0')}.0`;
      return [{ type: 'nic', bus: 'pci', address: at, mac, tags: [tag] }];
    }),
  ];
}

function processor(guest: GuestSpec, accelerator: Accelerator['name']): string[] {
  const cores = ['-smp', `cpus=${wholeNumber(guest.vcpus, 'number of vCPUs')}`];
  if (accelerator === 'kvm') return ['-accel', 'kvm', '-cpu', 'host', ...cores];
  return ['-accel', `tcg,tb-size=${TRANSLATION_CACHE_MB}`, '-cpu', EMULATED_CPU, ...cores];
}

/**
 * Names the whole chain of files with their formats, so that QEMU follows no file name from inside
 * a file, and guesses no format.
 */
function disk(base: BaseImage, opened: (path: string) => string): string[] {
  const baseFile = { driver: 'file', filename: opened(base.path) };
  const lowest = base.kind === 'qcow2' ? { backing: null } : {};
  const layer = {
    'node-name': DISK_NODE,
    driver: 'qcow2',
    discard: 'unmap',
    file: { driver: 'file', filename: DISK, discard: 'unmap' },
    backing: { driver: base.kind, 'read-only': true, file: baseFile, ...lowest },
  };
  const device = `virtio-blk-pci,drive=${DISK_NODE},bootindex=1,addr=${DISK_SLOT}`;
  return ['-blockdev', JSON.stringify(layer), '-device', device];
}

function configDrive(filename: string): string[] {
  const layer = {
    'node-name': 'config-drive',
    driver: 'raw',
    'read-only': true,
    file: { driver: 'file', filename },
  };
  return ['-blockdev', JSON.stringify(layer), '-device', 'virtio-blk-pci,drive=config-drive'];
}

function kernel(
  guest: GuestSpec,
  images: GuestImages<BaseImage>,
  opened: (path: string) => string,
): string[] {
  if (images.kernel === undefined) return [];
  const commandLine = guest.kernelCommandLine ?? DEFAULT_KERNEL_COMMAND_LINE;
  const ramdisk = images.ramdisk === undefined ? [] : ['-initrd', opened(images.ramdisk.path)];
  return ['-kernel', opened(images.kernel.path), ...ramdisk, '-append', commandLine];
}

function wholeNumber(value: number, what: string): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new HypervisorError('bug', `The ${what} of a guest is not a whole number above 0.`);
}
