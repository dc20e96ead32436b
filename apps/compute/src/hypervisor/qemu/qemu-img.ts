/**
 * The uses of qemu-img. Every image is opened with its format said: a guest that writes a qcow2
 * header into its raw disk must not have it believed. Where `prlimit` is installed it bounds
 * memory and processor time, since the images come from users.
 */
import { HypervisorError } from '../hypervisor-error.js';
import { SECTOR_BYTES } from '../image-header.js';
import { readHead } from './read-head.js';
import { runProgram, type ProgramResult } from './run-program.js';

export type DiskFormat = 'raw' | 'qcow2';

const TIMEOUT_MS = 60_000;
const MEMORY_BYTES = 1024 ** 3;
const CPU_SECONDS = 30;

/** prlimit's own exit codes for a program that it cannot run. */
const CANNOT_EXECUTE = 126;
const NOT_FOUND = 127;

export class QemuImg {
  /**
   * @param program the path of qemu-img
   * @param prlimit the path of prlimit, where it is installed
   */
  constructor(
    private readonly program: string,
    private readonly prlimit: string | undefined,
  ) {}

  /**
   * The size in bytes of the disk in an image, once its structure has been read through.
   * undefined where qemu-img finds it damaged.
   */
  async virtualSize(path: string, format: DiskFormat): Promise<number | undefined> {
    const result = await this.run(['info', '--output=json', '-f', format, path]);
    if (result.exitCode !== 0) return undefined;
    const info = JSON.parse(result.stdout.toString()) as { 'virtual-size': number };
    return info['virtual-size'];
  }

  /**
   * The first 512 bytes of the disk in an image; fewer where it has fewer or is damaged.
   *
   * @param scratch a file that may be written; it stays
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

  private async run(args: readonly string[]): Promise<ProgramResult> {
    const command = [this.program, ...args];
    if (this.prlimit !== undefined) {
      command.unshift(this.prlimit, `--as=${MEMORY_BYTES}`, `--cpu=${CPU_SECONDS}`, '--');
    }
    const [program = this.program, ...rest] = command;
    const result = await runProgram(program, rest, { timeoutMs: TIMEOUT_MS });
    if (result.exitCode === CANNOT_EXECUTE || result.exitCode === NOT_FOUND) {
      throw new HypervisorError('missing-program', 'A program of the host is missing.', command);
    }
    return result;
  }
}
