import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryName, writeDurably } from '@cumulet/common/files/durable-file';
import type { GuestImages } from '../../guest-images.js';
import { errorCode, HypervisorError } from '../../hypervisor-error.js';
import type { GuestSpec } from '../../ports/guest-spec.js';
import type { BaseImage } from '../image/base-image-store.js';
import { configDriveImage } from '../disk/config-drive.js';
import { ringBytes } from '../console/guest-console.js';
import { overlayExists } from '../disk/guest-disk.js';
import { UEFI_VARIABLES, type GuestFolder } from '../guest-folder.js';
import { requireLocalDisks } from '../disk/local-disks.js';
import { namespaceOf, openTunToAll, requireDevices } from '../nic/network-namespace.js';
import type { QemuHypervisorOptions, QemuPrograms } from '../qemu-programs.js';
import { toQcow2 } from '../image/qemu-img.js';
import { inheritedFiles, qemuArguments, taggedDevices } from './qemu-arguments.js';
import type { Launch } from './start-qemu.js';

/** UEFI's variables, such as the boot order: made once, for each guest its own. */
async function ensureVariables(folder: GuestFolder, programs: QemuPrograms): Promise<void> {
  if (programs.uefi === undefined) return;
  const path = join(folder.path, UEFI_VARIABLES);
  const temporary = temporaryName(path);
  try {
    await toQcow2(programs.qemuImg, programs.uefi.variables, temporary);
    // A link, unlike a rename, never replaces what the guest has changed.
    await link(temporary, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Checks and writes what a guest's machine reads. @returns its launch */
export async function prepareLaunch(
  guest: GuestSpec,
  folder: GuestFolder,
  images: GuestImages<BaseImage>,
  { accelerator, programs, users, consoleBytes, cgroups }: QemuHypervisorOptions,
  rescue?: GuestImages<BaseImage>,
): Promise<Launch> {
  if (!(await overlayExists(folder, images.base))) {
    throw new HypervisorError('not-ready', 'The server has no disk on the host.');
  }
  if (rescue && !(await overlayExists({ ...folder, disk: folder.rescueDisk }, rescue.base))) {
    const message = 'The server has no disk for its rescue on the host.';
    throw new HypervisorError('not-ready', message);
  }
  await requireLocalDisks(folder, guest.localDisks ?? []);
  if (guest.configDrive !== undefined) {
    const { configDrive } = guest;
    const metaData = { ...configDrive.metaData, devices: taggedDevices(guest) };
    const drive = configDriveImage({ ...configDrive, metaData }, new Date());
    await writeDurably(folder.configDrive, drive);
  }
  const host = {
    accelerator: accelerator.name,
    sandbox: programs.sandbox,
    consoleRingBytes: ringBytes(consoleBytes),
    uefi: programs.uefi,
  };
  const args = qemuArguments(guest, folder, images, host, rescue);
  if (guest.hardware?.firmware === 'uefi') await ensureVariables(folder, programs);
  const account = users.of(guest.id);
  const inGroup = account && { uid: account.uid, gid: accelerator.group ?? account.gid };
  await requireDevices(guest.nics);
  const namespace = await namespaceOf(guest);
  if (namespace !== undefined && account) await openTunToAll();
  const { vcpus, memoryMb, hardware } = guest;
  await cgroups?.prepare(guest.id, { vcpus, memoryMb, ...hardware?.cpuLimits });
  return {
    args,
    files: inheritedFiles(guest, folder, images, rescue),
    account: inGroup,
    namespace,
    hold: cgroups && ((pid) => cgroups.enter(guest.id, pid)),
  };
}
