/**
 * A copy of a guest's disk: its files in the guest's folder, and a job of the guest's machine,
 * which copies each block before the guest overwrites it ("QEMU QMP Reference Manual",
 * blockdev-backup). Both are named by the copy, so that any later process resumes it.
 */
import { chmod, lchown, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sync } from '@cumulet/common/files/durable-file';
import type { Account } from '@cumulet/common/programs/own-users';
import type { DiskImage } from '../../guest-images.js';
import { errorCode, HypervisorError } from '../../hypervisor-error.js';
import { requireGuestId } from '../../ports/guest-spec.js';
import { waitUntil } from '../../wait-until.js';
import { DISK_NODE } from './disk-arguments.js';
import type { BaseImage } from '../image/base-image-store.js';
import type { GuestFolder } from '../guest-folder.js';
import { imageBeside, type QemuImg } from '../image/qemu-img.js';
import { QmpError, type QmpConnection } from '../machine/qmp-connection.js';

const CANCEL_TIMEOUT_MS = 5_000;

export class DiskCopy {
  /** The copy, once it is whole. */
  readonly path: string;
  private readonly part: string;
  private readonly base: string;
  /** Name of the job and of its target device: at most 31 characters. */
  private readonly name: string;

  constructor(
    private readonly folder: GuestFolder,
    copyId: string,
    private readonly qemuImg: QemuImg,
    private readonly account: Account | undefined,
  ) {
    requireGuestId(copyId);
    this.path = join(folder.path, `copy-${copyId}.qcow2`);
    this.part = `${this.path}.part`;
    this.base = `${this.path}.base`;
    this.name = `copy-${copyId.replaceAll('-', '').slice(0, 26)}`;
  }

  async isWhole(): Promise<boolean> {
    return (await sizeOf(this.path)) !== undefined;
  }

  async isBegun(monitor: QmpConnection): Promise<boolean> {
    return (await this.job(monitor)) !== undefined;
  }

  /** Copies from the running machine. @returns whether the copy is whole */
  async continueLive(monitor: QmpConnection): Promise<boolean> {
    const job = await this.job(monitor);
    if (!job) return false;
    if (job.status !== 'concluded') return false;
    await monitor.execute('job-dismiss', { id: this.name });
    await this.detach(monitor);
    if (job.error !== undefined) throw failureOf(job.error);
    await this.publish();
    return true;
  }

  /** For a guest without a machine, whose disk `disk` is a layer over `base`. */
  async makeFrom(disk: string, sizeBytes: number, base?: DiskImage<BaseImage>): Promise<void> {
    await this.removeFiles();
    try {
      await this.prepare(sizeBytes);
      await this.own(join(this.folder.path, disk));
      const layer = {
        driver: 'qcow2',
        file: { driver: 'file', filename: disk },
        backing: base === undefined ? null : await imageBeside(base, this.base),
      };
      const as = { cwd: this.folder.path, account: this.account };
      await this.qemuImg.copyInto(layer, basename(this.part), as);
    } finally {
      await rm(this.base, { force: true });
    }
    await this.publish();
  }

  /** Ends the job, if there is one. */
  async cancel(monitor: QmpConnection): Promise<void> {
    const job = await this.job(monitor);
    if (job && job.status !== 'concluded') {
      await monitor.execute('block-job-cancel', { device: this.name, force: true });
      const isOver = async (): Promise<boolean> =>
        (await this.job(monitor))?.status === 'concluded';
      if (!(await waitUntil(isOver, CANCEL_TIMEOUT_MS)))
        throw new HypervisorError('transient', 'The copy of the disk does not end.');
    }
    if (job) await monitor.execute('job-dismiss', { id: this.name });
    await this.detach(monitor);
  }

  private async job(monitor: QmpConnection): Promise<Job | undefined> {
    const jobs = (await monitor.execute('query-jobs')) as Job[];
    return jobs.find(({ id }) => id === this.name);
  }

  async removeFiles(): Promise<void> {
    for (const path of [this.part, this.base, this.path]) await rm(path, { force: true });
  }

  /** The copy is of the disk as it is now. */
  async begin(monitor: QmpConnection): Promise<void> {
    await this.detach(monitor);
    const nodes = (await monitor.execute('query-named-block-nodes', { flat: true })) as Node[];
    const disk = nodes.find((node) => node['node-name'] === DISK_NODE);
    if (!disk) throw new HypervisorError('not-ready', 'The machine of the server has no disk.');
    await this.prepare(disk.image['virtual-size']);
    await monitor.execute('blockdev-add', {
      'node-name': this.name,
      driver: 'qcow2',
      file: { driver: 'file', filename: basename(this.part) },
    });
    await monitor.execute('blockdev-backup', {
      'job-id': this.name,
      device: DISK_NODE,
      target: this.name,
      sync: 'full',
      'auto-dismiss': false,
    });
  }

  /** Closes the target, if the machine has it open. */
  private async detach(monitor: QmpConnection): Promise<void> {
    try {
      await monitor.execute('blockdev-del', { 'node-name': this.name });
    } catch (error) {
      if (!(error instanceof QmpError && error.failure === 'refused')) throw error;
    }
  }

  /** An empty file that QEMU's user may write. */
  private async prepare(sizeBytes: number): Promise<void> {
    await rm(this.part, { force: true });
    await this.qemuImg.createEmpty(this.part, sizeBytes);
    await this.own(this.part);
    if (this.account) await chmod(this.folder.path, 0o711);
  }

  private async own(path: string): Promise<void> {
    if (this.account) await lchown(path, this.account.uid, this.account.gid);
    await chmod(path, 0o600);
  }

  private async publish(): Promise<void> {
    await sync(this.part);
    await rename(this.part, this.path);
    await sync(this.folder.path);
  }
}

interface Job {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
}

interface Node {
  readonly 'node-name'?: string;
  readonly image: { readonly 'virtual-size': number };
}

/** Bytes of a file; undefined if there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function failureOf(error: string): HypervisorError {
  return error.includes('No space left')
    ? new HypervisorError('capacity', 'The host has no room left to copy the disk.', error)
    : new HypervisorError('transient', 'The disk could not be copied.', error);
}
