/**
 * Converts disk images with qemu-img. Images come from users, so qemu-img gets the format that the
 * inspection found instead of probing, and opens no other file. With prlimit installed, its memory,
 * time and output are limited.
 */
import { findProgram } from '@cumulet/common/programs/find-program';
import { runLimited, type ProgramResult } from '@cumulet/common/programs/run-program';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../../config.js';
import { ConversionFailedError, ConverterMissingError } from '../import.errors.js';

export type ConvertibleFormat = 'raw' | 'qcow2';

type ConverterConfig = Pick<ImagesConfig, 'searchPath' | 'convertSeconds' | 'imageSizeLimit'>;

export interface Conversion {
  readonly from: { readonly path: string; readonly format: ConvertibleFormat };
  /** The path must not exist yet. */
  readonly to: { readonly path: string; readonly format: ConvertibleFormat };
}

const MEMORY_BYTES = 1024 ** 3;

@Injectable()
export class ImageConverter {
  constructor(@Inject(CONFIG) private readonly config: ConverterConfig) {}

  /** @throws ConverterMissingError naming the package to install */
  async check(): Promise<void> {
    await this.#find();
  }

  /** @throws ConversionFailedError, ConverterMissingError, or the signal's own */
  async convert({ from, to }: Conversion, signal: AbortSignal): Promise<void> {
    // Explicit drivers confine the source to that file, without a backing file.
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

  /** qemu-img's own messages name local files. */
  #reason({ stderr }: ProgramResult, isLate: boolean): string {
    const { convertSeconds, imageSizeLimit } = this.config;
    if (isLate) return `it took longer than ${convertSeconds} seconds`;
    if (stderr.includes('No space left')) return 'there is no room for it';
    if (stderr.includes('File too large')) return `it would have more than ${imageSizeLimit} bytes`;
    return 'it is damaged';
  }
}
