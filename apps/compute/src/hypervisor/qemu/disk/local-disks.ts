/** A guest's local disks, each completed under a temporary name first. */
import { randomUUID } from 'node:crypto';
import { access, link, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sync, temporaryName } from '@cumulet/common/files/durable-file';
import { errorCode, HypervisorError } from '../../hypervisor-error.js';
import type { BootImage } from '../../boot-image.js';
import type { GuestLocalDisk, LocalDisk } from '../../ports/guest-spec.js';
import { localDiskFile, localDiskFiles, type GuestFolder } from '../guest-folder.js';
import { runProgram } from '../run-program.js';
import { toQcow2 } from '../image/qemu-img.js';

const MIB = 1024 ** 2;
const TIMEOUT_MS = 60_000;

export interface DiskPrograms {
  readonly qemuImg: string;
  readonly mke2fs?: string | undefined;
}

/** Makes a qcow2 file of an image, at least this large. */
type CopyContent = (content: BootImage, path: string, sizeBytes: number) => Promise<void>;

/** Throws `missing-program` if a file system needs mke2fs, `capacity` if the host is full. */
export async function ensureLocalDisks(
  folder: GuestFolder,
  disks: readonly GuestLocalDisk[],
  programs: DiskPrograms,
  copy: CopyContent,
): Promise<void> {
  for (const [index, disk] of disks.entries()) {
    const path = join(folder.path, localDiskFile(disk, index));
    if (await exists(path)) continue;
    const temporary = temporaryName(path);
    const raw = `${temporary}.raw`;
    try {
      if (disk.content === undefined) {
        await makeRaw(raw, disk, programs.mke2fs);
        await toQcow2(programs.qemuImg, raw, temporary);
      } else await copy(disk.content, temporary, disk.sizeMb * MIB);
      await sync(temporary);
      // A link, unlike a rename, never replaces a disk that another process made.
      await link(temporary, path).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
    } finally {
      await rm(raw, { force: true });
      await rm(temporary, { force: true });
    }
    await sync(folder.path);
  }
}

/** Throws `not-ready` if one is missing: an empty one never replaces it. */
export async function requireLocalDisks(
  folder: GuestFolder,
  disks: readonly LocalDisk[],
): Promise<void> {
  for (const [index, disk] of disks.entries()) {
    if (await exists(join(folder.path, localDiskFile(disk, index)))) continue;
    throw new HypervisorError('not-ready', 'The server has lost a disk on the host.');
  }
}

/** Removes local disks that are not listed; no machine has them open. */
export async function removeOtherLocalDisks(
  folder: GuestFolder,
  disks: readonly LocalDisk[],
): Promise<void> {
  const wanted = new Set(disks.map(localDiskFile));
  const others = (await localDiskFiles(folder)).filter((name) => !wanted.has(name));
  for (const name of others) await rm(join(folder.path, name), { force: true });
  if (others.length > 0) await sync(folder.path);
}

async function makeRaw(
  path: string,
  { sizeMb, format, label }: LocalDisk,
  mke2fs: string | undefined,
): Promise<void> {
  const sizeBytes = sizeMb * MIB;
  const file = await open(path, 'wx', 0o600);
  try {
    await file.truncate(sizeBytes);
    if (format === 'swap') await file.write(swapHeader(sizeBytes, randomUUID()), 0, null, 0);
  } finally {
    await file.close();
  }
  if (format === 'swap') return;
  if (mke2fs === undefined)
    throw new HypervisorError('missing-program', 'The host has no mke2fs (package e2fsprogs).');
  const labelled = label === undefined ? [] : ['-L', label];
  const { exitCode, stderr } = await runProgram(
    mke2fs,
    ['-q', '-F', '-t', format, ...labelled, path],
    {
      timeoutMs: TIMEOUT_MS,
    },
  );
  if (exitCode !== 0)
    throw new HypervisorError('transient', 'A local disk could not be formatted.', stderr);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The header of swap space (Linux, `include/linux/swap.h`: union swap_header). Pure. */
const PAGE = 4096;
const VERSION_AT = 1024;
const LAST_PAGE_AT = 1028;
const UUID_AT = 1036;
const SIGNATURE = 'SWAPSPACE2';

/** @returns the disk's first page */
export function swapHeader(sizeBytes: number, uuid: string): Buffer {
  const page = Buffer.alloc(PAGE);
  page.writeUInt32LE(1, VERSION_AT);
  page.writeUInt32LE(Math.floor(sizeBytes / PAGE) - 1, LAST_PAGE_AT);
  Buffer.from(uuid.replaceAll('-', ''), 'hex').copy(page, UUID_AT);
  page.write(SIGNATURE, PAGE - SIGNATURE.length, 'latin1');
  return page;
}
