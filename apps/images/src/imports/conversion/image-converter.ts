/**
 * Converts disk images with qemu-img. What it reads comes from users: it is told the format that
 * the inspection found, so that nothing in the image is believed; it opens no other file; and if
 * prlimit is installed, its memory, its time and its output are bounded.
 */
import { findProgram } from '@cumulet/common/programs/find-program';
import { runLimited, type ProgramResult } from '@cumulet/common/programs/run-program';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../../config.js';
import { ConversionFailedError, ConverterMissingError } from '../import.errors.js';

export type ConvertibleFormat = 'raw' | 'qcow2';

/** Where its programs are, the seconds that a conversion may take, and the bytes of its result. */
type ConverterConfig = Pick<ImagesConfig, 'searchPath' | 'convertSeconds' | 'imageSizeLimit'>;

export interface Conversion {
  readonly from: { readonly path: string; readonly format: ConvertibleFormat };
  /** A file that does not exist yet. */
  readonly to: { readonly path: string; readonly format: ConvertibleFormat };
}

const MEMORY_BYTES = 1024 ** 3;

@Injectable()
export class ImageConverter {
  constructor(@Inject(CONFIG) private readonly config: ConverterConfig) {}

  /** @throws ConverterMissingError naming what to install */
  async check(): Promise<void> {
    await this.#find();
  }

  /** @throws ConversionFailedError, ConverterMissingError, or the signal's own */
  async convert({ from, to }: Conversion, signal: AbortSignal): Promise<void> {
    // With its drivers spelt out, the source is nothing but that file, with no backing file.
    const backing = from.format === 'qcow2' ? { backing: null } : {};
    const file = { driver: 'file', filename: from.path };
    const source = `json:${JSON.stringify({ driver: from.format, ...backing, file })}`;
    const start = Date.now();
    const result = await this.#run(['convert', '-q', '-O', to.format, source, to.path], signal);
    if (result.exitCode === 0) return;
    signal.throwIfAborted();
    const isLate = Date.now() - start >= this.config.convertSeconds * 1000;
    throw new ConversionFailedError(from.format, to.format, this.#reason(result, isLate), result);
  }

  async #run(args: readonly string[], signal: AbortSignal): Promise<ProgramResult> {
    const { searchPath, convertSeconds: cpuSeconds, imageSizeLimit: fileBytes } = this.config;
    const qemuImg = await this.#find();
    const prlimit = await findProgram('prlimit', searchPath);
    const limits = { memoryBytes: MEMORY_BYTES, cpuSeconds, fileBytes };
    return runLimited(prlimit, limits, qemuImg, args, { timeoutMs: cpuSeconds * 1000, signal });
  }

  async #find(): Promise<string> {
    const path = await findProgram('qemu-img', this.config.searchPath);
    if (path === undefined) throw new ConverterMissingError();
    return path;
  }

  /** A reason to show: qemu-img's own messages name files of this machine. */
  #reason({ stderr }: ProgramResult, isLate: boolean): string {
    const { convertSeconds, imageSizeLimit } = this.config;
    if (isLate) return `it took longer than ${convertSeconds} seconds`;
    if (stderr.includes('No space left')) return 'there is no room for it';
    if (stderr.includes('File too large')) return `it would have more than ${imageSizeLimit} bytes`;
    return 'it is damaged';
  }
}
