/**
 * Converts disk images with qemu-img. What it reads comes from users: it is told the format that
 * the image was judged to have, so that nothing in the image is believed; no file is opened beside
 * it; and where prlimit is installed, its memory, its time and its output are bounded.
 */
import { findProgram } from '@cumulet/common/programs/find-program';
import { runLimited, type ProgramResult } from '@cumulet/common/programs/run-program';
import { ConversionFailedError, ConverterMissingError } from '../import.errors.js';

export type ConvertibleFormat = 'raw' | 'qcow2';

export interface ConverterOptions {
  /** Folders that qemu-img and prlimit are looked for in, between colons. */
  readonly searchPath: string;
  /** Seconds that a conversion may take. */
  readonly seconds: number;
  /** Bytes that a converted image may have. */
  readonly limitBytes: number;
}

export interface Conversion {
  readonly from: { readonly path: string; readonly format: ConvertibleFormat };
  /** A file that is not there yet. */
  readonly to: { readonly path: string; readonly format: ConvertibleFormat };
}

const MEMORY_BYTES = 1024 ** 3;

export class ImageConverter {
  constructor(private readonly options: ConverterOptions) {}

  /** @throws ConverterMissingError naming what is to be installed */
  async check(): Promise<void> {
    await this.#find();
  }

  /** @throws ConversionFailedError, ConverterMissingError, or the signal's own */
  async convert({ from, to }: Conversion, signal: AbortSignal): Promise<void> {
    // By the driver's own names, a file is nothing but that file, and there is none below it.
    const backing = from.format === 'qcow2' ? { backing: null } : {};
    const file = { driver: 'file', filename: from.path };
    const source = `json:${JSON.stringify({ driver: from.format, ...backing, file })}`;
    const start = Date.now();
    const result = await this.#run(['convert', '-q', '-O', to.format, source, to.path], signal);
    if (result.exitCode === 0) return;
    signal.throwIfAborted();
    const isLate = Date.now() - start >= this.options.seconds * 1000;
    throw new ConversionFailedError(from.format, to.format, this.#reason(result, isLate), result);
  }

  async #run(args: readonly string[], signal: AbortSignal): Promise<ProgramResult> {
    const { searchPath, seconds, limitBytes } = this.options;
    const qemuImg = await this.#find();
    const prlimit = await findProgram('prlimit', searchPath);
    const limits = { memoryBytes: MEMORY_BYTES, cpuSeconds: seconds, fileBytes: limitBytes };
    return runLimited(prlimit, limits, qemuImg, args, { timeoutMs: seconds * 1000, signal });
  }

  async #find(): Promise<string> {
    const path = await findProgram('qemu-img', this.options.searchPath);
    if (path === undefined) throw new ConverterMissingError();
    return path;
  }

  /** What qemu-img says names files of this machine. */
  #reason({ stderr }: ProgramResult, isLate: boolean): string {
    const { seconds, limitBytes } = this.options;
    if (isLate) return `it took longer than ${seconds} seconds`;
    if (stderr.includes('No space left')) return 'there is no room for it';
    if (stderr.includes('File too large')) return `it would have more than ${limitBytes} bytes`;
    return 'it is damaged';
  }
}
