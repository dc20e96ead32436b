/**
 * A guest's disk as it was before a resize, as an internal snapshot of its qcow2 layer: it takes the
 * room of what is written since, and its size goes back with it.
 */
import { access, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sync } from '@cumulet/common/files/durable-file';
import { HypervisorError } from '../hypervisor-error.js';
import { DISK, type GuestFolder } from './guest-folder.js';
import type { GuestMachine } from './guest-machine.js';
import type { QemuImg } from './qemu-img.js';

/** The further disks of a guest, which go with its first one. */
const LOCAL_DISK = /^disk\.local\d+$/;

export const KEPT_TAG = 'kept';

/** See `keepDisk` of the port. */
export async function keepDisk(qemuImg: QemuImg, folder: GuestFolder): Promise<void> {
  await requireDisk(folder);
  if (await isKept(qemuImg, folder)) return;
  await qemuImg.onLayer(folder, (file) => ['snapshot', '-c', KEPT_TAG, file]);
}

/** See `restoreDisk` of the port. */
export async function restoreDisk(qemuImg: QemuImg, folder: GuestFolder): Promise<void> {
  await requireDisk(folder);
  if (!(await isKept(qemuImg, folder))) return;
  await qemuImg.onLayer(folder, (file) => ['snapshot', '-a', KEPT_TAG, file]);
  await qemuImg.onLayer(folder, (file) => ['snapshot', '-d', KEPT_TAG, file]);
}

/** See `forgetKeptDisk` of the port: a disk that is in use is its machine's to change. */
export async function forgetKeptDisk(
  qemuImg: QemuImg,
  folder: GuestFolder,
  machine: GuestMachine,
): Promise<void> {
  if (await machine.exists()) await machine.forgetKeptDisk(KEPT_TAG);
  else if ((await hasDisk(folder)) && (await isKept(qemuImg, folder)))
    await qemuImg.onLayer(folder, (file) => ['snapshot', '-d', KEPT_TAG, file]);
}

/** See `growDisk` of the port. @param bytes how large it is to be at least */
export async function growDisk(
  qemuImg: QemuImg,
  folder: GuestFolder,
  bytes: number,
): Promise<void> {
  await requireDisk(folder);
  const { stdout } = await qemuImg.onLayer(folder, (file) => ['info', '--output=json', file]);
  const info = JSON.parse(stdout.toString()) as { readonly 'virtual-size': number };
  if (info['virtual-size'] >= bytes) return;
  await qemuImg.onLayer(folder, (file) => ['resize', '-q', file, `${bytes}`]);
}

/** See `discardDisk` of the port. */
export async function discardDisk(folder: GuestFolder): Promise<void> {
  if (!(await hasDisk(folder))) return;
  await rm(folder.disk, { force: true });
  if (basename(folder.disk) === DISK)
    for (const name of await readdir(folder.path))
      if (LOCAL_DISK.test(name)) await rm(join(folder.path, name), { force: true });
  await sync(folder.path);
}

async function isKept(qemuImg: QemuImg, folder: GuestFolder): Promise<boolean> {
  const { stdout } = await qemuImg.onLayer(folder, (file) => ['info', '--output=json', file]);
  const info = JSON.parse(stdout.toString()) as { readonly snapshots?: { name: string }[] };
  return (info.snapshots ?? []).some(({ name }) => name === KEPT_TAG);
}

async function hasDisk(folder: GuestFolder): Promise<boolean> {
  return access(folder.disk).then(
    () => true,
    () => false,
  );
}

async function requireDisk(folder: GuestFolder): Promise<void> {
  if (await hasDisk(folder)) return;
  throw new HypervisorError('not-ready', 'The server has no disk on the host.');
}
