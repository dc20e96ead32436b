/**
 * The uses of qemu-img. Every image is opened with an explicit format: a guest may write a qcow2
 * header into its raw disk, which must not be believed. `prlimit`, if installed, bounds memory and
 * processor time, since the images come from users.
 */
import type { ProgramResult } from '@cumulet/common/programs/run-program';
import { HypervisorError } from '../hypervisor-error.js';
import { SECTOR_BYTES } from '../image-header.js';
import { readHead } from './read-head.js';
import { runLimited } from './run-program.js';

export type DiskFormat = 'raw' | 'qcow2';

const TIMEOUT_MS = 60_000;
const LIMITS = { memoryBytes: 1024 ** 3, cpuSeconds: 30 };

export class QemuImg {
  /**
   * @param program the path of qemu-img
   * @param prlimit the path of prlimit, if it is installed
   */
  constructor(
    private readonly program: string,
    private readonly prlimit: string | undefined,
  ) {}

  /**
   * The size in bytes of the disk in an image, after checking its structure.
   * undefined if qemu-img finds it damaged.
   */
  async virtualSize(path: string, format: DiskFormat): Promise<number | undefined> {
    const result = await this.run(['info', '--output=json', '-f', format, path]);
    if (result.exitCode !== 0) return undefined;
    const info = JSON.parse(result.stdout.toString()) as { 'virtual-size': number };
    return info['virtual-size'];
  }

  /**
   * The first 512 bytes of the disk in an image; fewer if it is smaller or damaged.
   *
   * @param scratch a file that may be overwritten; it stays
   */
  async firstSector(path: string, format: DiskFormat, scratch: string): Promise<Buffer> {
    const read = ['dd', '-f', format, '-O', 'raw', `bs=${SECTOR_BYTES}`, 'count=1'];
    const result = await this.run([...read, `if=${path}`, `of=${scratch}`]);
    return result.exitCode === 0 ? readHead(scratch, SECTOR_BYTES) : Buffer.alloc(0);
  }

  /**
   * Makes a qcow2 layer at `path`.
   *
   * @param backing the file below it, as seen from the layer's directory
   */
  async createOverlay(
    path: string,
    backing: { path: string; format: DiskFormat },
    sizeBytes: number,
  ): Promise<void> {
    const under = ['-b', backing.path, '-F', backing.format];
    const result = await this.run(['create', '-q', '-f', 'qcow2', ...under, path, `${sizeBytes}`]);
    if (result.exitCode === 0) return;
    const full = result.stderr.includes('No space left');
    throw new HypervisorError(
      full ? 'capacity' : 'transient',
      full ? 'The host has no room left for the disk.' : 'The disk could not be made.',
      result.stderr,
    );
  }

  private run(args: readonly string[]): Promise<ProgramResult> {
    return runLimited(this.prlimit, LIMITS, this.program, args, { timeoutMs: TIMEOUT_MS });
  }
}
