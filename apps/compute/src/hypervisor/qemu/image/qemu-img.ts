/**
 * Runs qemu-img. Formats are always explicit: a guest may write a qcow2 header into its raw disk.
 * `prlimit`, if installed, bounds memory and processor time, since images come from users. Images
 * are read as a user of their own, where guests have one, from within the image's folder.
 */
import { chmod, lchown, link, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { ProgramOptions, ProgramResult } from '@cumulet/common/programs/run-program';
import type { Account } from '@cumulet/common/programs/own-users';
import { HypervisorError } from '../../hypervisor-error.js';
import { SECTOR_BYTES, readHead } from '../../image-header.js';
import { DISK, handOver, type GuestFolder } from '../guest-folder.js';
import type { GuestUsers } from '../guest-users.js';
import { runLimited, runProgram } from '../run-program.js';

export type DiskFormat = 'raw' | 'qcow2';

interface QemuImgPrograms {
  readonly qemuImg: string;
  /** Limits qemu-img; if it is not installed, qemu-img runs without limits. */
  readonly prlimit: string | undefined;
}

const TIMEOUT_MS = 60_000;
/** A copy writes a whole disk. */
const COPY_TIMEOUT_MS = 3_600_000;
const LIMITS = { memoryBytes: 1024 ** 3, cpuSeconds: 30 };

export class QemuImg {
  constructor(
    private readonly programs: QemuImgPrograms,
    private readonly users: GuestUsers,
  ) {}

  /** Bytes of the disk, after a check of its structure; undefined if qemu-img finds it damaged. */
  async virtualSize(path: string, format: DiskFormat): Promise<number | undefined> {
    const result = await this.read(path, ['info', '--output=json', '-f', format, basename(path)]);
    if (result.exitCode !== 0) return undefined;
    const info = JSON.parse(result.stdout.toString()) as { 'virtual-size': number };
    return info['virtual-size'];
  }

  /** Fewer bytes if it is smaller or damaged. @param scratch a file to overwrite; it stays */
  async firstSector(path: string, format: DiskFormat, scratch: string): Promise<Buffer> {
    const account = this.account(path);
    if (account !== undefined) {
      await writeFile(scratch, '', { mode: 0o600 });
      await lchown(scratch, account.uid, account.gid);
    }
    const read = ['dd', '-f', format, '-O', 'raw', `bs=${SECTOR_BYTES}`, 'count=1'];
    const files = [`if=${basename(path)}`, `of=${basename(scratch)}`];
    const result = await this.read(path, [...read, ...files]);
    return result.exitCode === 0 ? readHead(scratch, SECTOR_BYTES) : Buffer.alloc(0);
  }

  /** @param backing the file below it, as seen from the layer's directory */
  async createOverlay(
    path: string,
    backing: { path: string; format: DiskFormat },
    sizeBytes: number,
  ): Promise<void> {
    // `-u`: its format and size are known, so the file below is not opened.
    const under = ['-u', '-b', backing.path, '-F', backing.format];
    const result = await this.run(['create', '-q', '-f', 'qcow2', ...under, path, `${sizeBytes}`]);
    requireSuccess(result);
  }

  async createEmpty(path: string, sizeBytes: number): Promise<void> {
    requireSuccess(await this.run(['create', '-q', '-f', 'qcow2', path, `${sizeBytes}`]));
  }

  /**
   * Copies a whole disk into an empty qcow2 file.
   * @param layer the disk, with the whole chain of its files, named from the folder
   * @param into the name of the file
   * @param as the folder and the user: the disk is a guest's
   */
  async copyInto(
    layer: object,
    into: string,
    as: Pick<ProgramOptions, 'cwd' | 'account'>,
  ): Promise<void> {
    const source = `json:${JSON.stringify(layer)}`;
    const how = ['convert', '-n', '--target-is-zero', '-O', 'qcow2', source, into];
    const { qemuImg, prlimit } = this.programs;
    const limits = { memoryBytes: LIMITS.memoryBytes };
    const options = { ...as, timeoutMs: COPY_TIMEOUT_MS };
    requireSuccess(await runLimited(prlimit, limits, qemuImg, how, options));
  }

  /**
   * Copies a cached image into a new qcow2 file of a guest's, as the guest's user.
   * @param path the file, in the guest's folder
   * @param sizeBytes minimum size of the disk in it
   */
  async copyOf(
    folder: GuestFolder,
    image: { readonly path: string; readonly kind: DiskFormat; readonly virtualSizeBytes: number },
    path: string,
    sizeBytes: number,
  ): Promise<void> {
    const account = this.users.of(folder.guestId);
    const beside = `${path}.base`;
    await this.createEmpty(path, Math.max(sizeBytes, image.virtualSizeBytes));
    await chmod(path, 0o600);
    if (account !== undefined) {
      await lchown(path, account.uid, account.gid);
      await chmod(folder.path, 0o711);
    }
    try {
      const layer = await imageBeside(image, beside);
      await this.copyInto(layer, basename(path), { cwd: folder.path, account });
    } finally {
      await rm(beside, { force: true });
    }
  }

  /**
   * Runs a command on a guest's layer or local disk alone, without its backing file, as the guest's
   * user in the guest's folder, where that user can name only its own files. Throws `capacity` or
   * `transient` if it fails.
   * @param args with the layer's name as `file`
   * @param name of the layer, in the folder
   */
  async onLayer(
    folder: GuestFolder,
    args: (file: string) => readonly string[],
    name: string = DISK,
  ): Promise<ProgramResult> {
    const account = this.users.of(folder.guestId);
    await handOver(folder, account);
    const layer = { driver: 'qcow2', file: { driver: 'file', filename: name }, backing: null };
    const result = await this.run(args(`json:${JSON.stringify(layer)}`), {
      cwd: folder.path,
      account,
    });
    if (result.exitCode === 0) return result;
    const full = result.stderr.includes('No space left');
    throw new HypervisorError(
      full ? 'capacity' : 'transient',
      full ? 'The host has no room left for the disk.' : 'The disk could not be changed.',
      result.stderr,
    );
  }

  /** Reads a user's image, in that image's folder, where it can create no file. */
  private async read(path: string, args: readonly string[]): Promise<ProgramResult> {
    const account = this.account(path);
    const cwd = dirname(path);
    if (account !== undefined) {
      await chmod(cwd, 0o711);
      await chmod(path, 0o644);
    }
    return this.run(args, { cwd, account });
  }

  /** Each image is read as another user. */
  private account(path: string): Account | undefined {
    return this.users.of(dirname(path));
  }

  private run(
    args: readonly string[],
    as: Pick<ProgramOptions, 'cwd' | 'account'> = {},
  ): Promise<ProgramResult> {
    const { qemuImg, prlimit } = this.programs;
    return runLimited(prlimit, LIMITS, qemuImg, args, { ...as, timeoutMs: TIMEOUT_MS });
  }
}

/** Links a cached image into a guest's folder, as its user cannot enter the images' folder. */
export async function imageBeside(
  image: { readonly path: string; readonly kind: DiskFormat },
  path: string,
): Promise<object> {
  await link(image.path, path);
  await chmod(image.path, 0o644);
  const file = { driver: 'file', filename: basename(path) };
  const lowest = image.kind === 'qcow2' ? { backing: null } : {};
  return { driver: image.kind, 'read-only': true, file, ...lowest };
}

function requireSuccess({ exitCode, stderr }: ProgramResult): void {
  if (exitCode === 0) return;
  const full = stderr.includes('No space left');
  throw new HypervisorError(
    full ? 'capacity' : 'transient',
    full ? 'The host has no room left for the disk.' : 'The disk could not be made.',
    stderr,
  );
}

/** From a raw file of ours: QEMU saves memory only if all disks that a guest writes are qcow2. */
export async function toQcow2(qemuImg: string, raw: string, path: string): Promise<void> {
  const args = ['convert', '-f', 'raw', '-O', 'qcow2', raw, path];
  requireSuccess(await runProgram(qemuImg, args, { timeoutMs: TIMEOUT_MS }));
}
