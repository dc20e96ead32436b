/**
 * QEMU's command line for a guest, as a list. Pure: the same guest and host give the same list.
 *
 * Always holds: no text of a user is in it but the kernel's command line; `command-line.ts` writes
 * each value; files are named from the guest's folder, or by a descriptor, so that QEMU walks no
 * path; none of QEMU's defaults apply.
 */
import type { GuestImages } from '../../guest-images.js';
import { HypervisorError } from '../../hypervisor-error.js';
import {
  STANDARD_HARDWARE,
  type DiskBus,
  type GuestHardware,
  type RescueDevice,
} from '../../ports/guest-hardware.js';
import type { GuestSpec } from '../../ports/guest-spec.js';
import type { BaseImage } from '../image/base-image-store.js';
import {
  deviceOption,
  flag,
  listOption,
  optionList,
  textOption,
  type QemuArgument,
} from '../command-line.js';
import {
  configDrive,
  controllers,
  diskPlace,
  localDisk,
  localDiskPlace,
  systemDisk,
} from '../disk/disk-arguments.js';
import { QMP_SOCKET, type GuestFolder } from '../guest-folder.js';
import { nicAddress, nicArguments } from '../nic/nic-arguments.js';
import { rescueBeforeDisk, rescueBehindDisks, rescuedDisk } from '../disk/rescue-arguments.js';
import type { Accelerator } from './accelerator.js';
import {
  board,
  firmware,
  randomNumbers,
  screen,
  serialPorts,
  smallDevices,
} from './hardware-arguments.js';
import type { UefiFirmware } from './uefi-firmware.js';

export interface GuestHost {
  readonly accelerator: Accelerator['name'];
  /** Whether QEMU's sandbox of system calls works. */
  readonly sandbox: boolean;
  /** The console's ring buffer; a power of two. */
  readonly consoleRingBytes: number;
  readonly uefi?: UefiFirmware | undefined;
}

/** Forbids a running QEMU to start programs, and to change user or priorities. */
export const SANDBOX = listOption('-sandbox', 'on', {
  obsolete: 'deny',
  elevateprivileges: 'deny',
  spawn: 'deny',
  resourcecontrol: 'deny',
});

/**
 * Translated code of one guest, in MiB. QEMU's default, an eighth of the host's memory up to 1 GiB,
 * is too much for a dozen guests; a Linux boot fills about 60.
 */
const TRANSLATION_CACHE_MB = 128;

/**
 * All that TCG can translate but cmpxchg16b: QEMU 7.2 leaves garbage in the flags after it, and
 * Linux 6.12, whose memory allocator uses it, panics within a minute.
 */
const EMULATED_CPU = listOption('-cpu', 'max', { cx16: false });

const DEFAULT_KERNEL_COMMAND_LINE = 'root=/dev/vda console=tty0 console=ttyS0';

/** The value of `-name`, which identifies the guest's process. */
export function machineName(folder: GuestFolder): QemuArgument {
  return optionList(undefined, machineNameOptions(folder));
}

function machineNameOptions({ path }: GuestFolder) {
  return { guest: path };
}

/** @param rescue images that it boots in place of its disk */
export function qemuArguments(
  guest: GuestSpec,
  folder: GuestFolder,
  images: GuestImages<BaseImage>,
  host: GuestHost,
  rescue?: GuestImages<BaseImage>,
): QemuArgument[] {
  const files = inheritedFiles(guest, folder, images, rescue);
  const { hardware = STANDARD_HARDWARE, localDisks = [], rescueDevice } = guest;
  const opened = (path: string): string => inheritedPath(files, path);
  return [
    ...listOption('-name', undefined, machineNameOptions(folder)),
    ...textOption('-uuid', guest.id),
    ...flag('-nodefaults'),
    ...flag('-no-user-config'),
    ...textOption('-display', 'none'),
    ...systemOf(guest),
    ...(host.sandbox ? SANDBOX : []),
    ...board(hardware),
    ...uefi(hardware, host),
    ...processor(guest, host.accelerator),
    ...listOption('-m', undefined, { size: `${wholeNumber(guest.memoryMb, 'memory')}M` }),
    // Keeps a machine that powers off, to tell it from one that was killed.
    ...flag('-no-shutdown'),
    ...listOption('-qmp', `unix:${QMP_SOCKET}`, { server: true, wait: false }),
    ...serialPorts(hardware, host.consoleRingBytes),
    ...screen(hardware),
    ...randomNumbers(hardware),
    ...deviceOption({ driver: 'pvpanic' }),
    ...controllers(hardware, rescueBus(rescueDevice)),
    ...systemDisks(images, hardware, opened, rescue, rescueDevice),
    ...localDisks.flatMap((disk, index) =>
      localDisk(disk, index, hardware, rescue && !rescueDevice ? 2 : 1),
    ),
    ...(guest.configDrive === undefined ? [] : configDrive(opened(folder.configDrive), hardware)),
    ...kernel(guest, rescue ?? images, opened),
    ...guest.nics.flatMap(nicArguments),
    ...smallDevices(hardware),
    ...(rescue && rescueDevice
      ? rescueBehindDisks(rescue, rescueDevice, hardware, 1 + localDisks.length, opened)
      : []),
  ];
}

/** By the product, cloud-init knows which metadata service to use. */
function systemOf({ id }: GuestSpec): QemuArgument[] {
  const system = { manufacturer: 'Cumulet', product: 'OpenStack Nova', family: 'Virtual Machine' };
  return listOption('-smbios', undefined, { type: 1, ...system, serial: id, uuid: id });
}

function systemDisks(
  images: GuestImages<BaseImage>,
  hardware: GuestHardware,
  opened: (path: string) => string,
  rescue: GuestImages<BaseImage> | undefined,
  device: RescueDevice | undefined,
): QemuArgument[] {
  if (rescue === undefined) return systemDisk(images, hardware, opened);
  if (device === undefined) return rescueBeforeDisk(rescue, images, hardware, opened);
  return rescuedDisk(images, hardware, opened);
}

/** The bus whose controller the rescue disk needs; a floppy has its own. */
function rescueBus(device: RescueDevice | undefined): DiskBus | undefined {
  return device === undefined || device.kind === 'floppy' ? undefined : device.bus;
}

/** Tagged devices for `meta_data.json` (Nova user guide, "Metadata: OpenStack format"). */
export function taggedDevices({
  diskTag,
  nics,
  localDisks = [],
  hardware = STANDARD_HARDWARE,
}: GuestSpec): readonly object[] {
  const disk = diskPlace(hardware);
  return [
    ...(diskTag === undefined ? [] : [{ ...disk, tags: [diskTag] }]),
    ...localDisks.flatMap(({ tag }, index) =>
      tag === undefined ? [] : [{ ...localDiskPlace(index, hardware), tags: [tag] }],
    ),
    ...nics.flatMap(({ tag, macAddress: mac, position }) => {
      const address = nicAddress(position);
      if (tag === undefined || address === undefined) return [];
      const at = `0000:00:${address.toString(16).padStart(2, '0')}.0`;
      return [{ type: 'nic', bus: 'pci', address: at, mac, tags: [tag] }];
    }),
  ];
}

function processor(guest: GuestSpec, accelerator: Accelerator['name']): QemuArgument[] {
  const { topology } = guest.hardware ?? STANDARD_HARDWARE;
  const cpus = wholeNumber(guest.vcpus, 'number of vCPUs');
  const cores = listOption('-smp', undefined, { cpus, ...topology });
  if (accelerator === 'kvm')
    return [...listOption('-accel', 'kvm'), ...listOption('-cpu', 'host'), ...cores];
  const translation = { 'tb-size': TRANSLATION_CACHE_MB };
  return [...listOption('-accel', 'tcg', translation), ...EMULATED_CPU, ...cores];
}

/** @throws HypervisorError `missing-program` where the host has no UEFI */
function uefi({ firmware: wanted }: GuestHardware, { uefi: found }: GuestHost): QemuArgument[] {
  if (wanted === 'bios') return [];
  if (found !== undefined) return firmware(found);
  throw new HypervisorError('missing-program', 'The host has no UEFI for guests (OVMF).');
}

function kernel(
  guest: GuestSpec,
  images: GuestImages<BaseImage>,
  opened: (path: string) => string,
): QemuArgument[] {
  if (images.kernel === undefined) return [];
  const commandLine = guest.kernelCommandLine ?? DEFAULT_KERNEL_COMMAND_LINE;
  return [
    ...textOption('-kernel', opened(images.kernel.path)),
    ...(images.ramdisk === undefined ? [] : textOption('-initrd', opened(images.ramdisk.path))),
    ...textOption('-append', commandLine),
  ];
}

function wholeNumber(value: number, what: string): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new HypervisorError('bug', `The ${what} of a guest is not a whole number above 0.`);
}

/** The first after standard input, output and error. */
const FIRST_DESCRIPTOR = 3;

/**
 * Files that QEMU only reads, and inherits open in the order of their descriptors: its user cannot
 * enter the images' folder. Opening `/proc/self/fd/3` walks no path, and checks the permissions of
 * the file alone.
 */
export function inheritedFiles(
  guest: GuestSpec,
  folder: GuestFolder,
  { base, kernel, ramdisk }: GuestImages<BaseImage>,
  rescue?: GuestImages<BaseImage>,
): string[] {
  const configDrive = guest.configDrive && folder.configDrive;
  const ofRescue = [rescue?.base.path, rescue?.kernel?.path, rescue?.ramdisk?.path];
  const all = [base.path, kernel?.path, ramdisk?.path, configDrive, ...ofRescue];
  return all.filter((path) => path !== undefined);
}

function inheritedPath(files: readonly string[], path: string): string {
  return `/proc/self/fd/${FIRST_DESCRIPTOR + files.indexOf(path)}`;
}
