/**
 * What a guest's QEMU only reads reaches it as files that are already open, since the folder of all
 * images is closed to its user. QEMU names them by their descriptors: opening `/proc/self/fd/3` anew
 * walks no path, and asks for the permissions of the file alone.
 */
import type { GuestImages } from '../guest-images.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import type { BaseImage } from './base-image-store.js';
import type { GuestFolder } from './guest-folder.js';

/** The first after standard input, output and error. */
const FIRST_DESCRIPTOR = 3;

/** The paths of the files that QEMU inherits, in the order of their descriptors. */
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

/** The path by which QEMU opens one of them. */
export function inheritedPath(files: readonly string[], path: string): string {
  return `/proc/self/fd/${FIRST_DESCRIPTOR + files.indexOf(path)}`;
}
