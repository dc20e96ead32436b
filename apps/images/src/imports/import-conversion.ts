import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../config.js';
import type { Image } from '../images/image.entity.js';
import { ImageTooLargeError } from '../images/image.errors.js';
import { IMAGES_CONFIG } from '../injection-tokens.js';
import { storeError } from '../store/store-errors.js';
import { ConversionFiles } from './conversion/conversion-files.js';
import { ImageConverter, type ConvertibleFormat } from './conversion/image-converter.js';
import type { ImportWork } from './import-work.js';
import { StagedData } from './staged-data.js';

export interface ConvertedImage {
  readonly path: string;
  readonly diskFormat: ConvertibleFormat;
}

/** The phase in which an image is converted to the format that the operator wants. */
@Injectable()
export class ImportConversion {
  constructor(
    private readonly staged: StagedData,
    private readonly files: ConversionFiles,
    private readonly converter: ImageConverter,
    @Inject(IMAGES_CONFIG) private readonly config: ImagesConfig,
  ) {}

  /** Does nothing where the image is to stay as it is. @throws ConversionFailedError, ImageTooLargeError */
  async ensureConverted(work: ImportWork): Promise<void> {
    const { image, signal } = work;
    const formats = this.#formats(image);
    if (!formats || image.stagedDataId === null || (await this.find(image))) return;
    const { imageSizeLimit } = this.config;
    if (formats.to === 'raw' && (image.virtualSize ?? 0) > imageSizeLimit) {
      throw new ImageTooLargeError(imageSizeLimit);
    }
    const { source, target } = await this.files.begin(image.id);
    try {
      await this.#copy(work, source);
      const from = { path: source, format: formats.from };
      await this.converter.convert({ from, to: { path: target, format: formats.to } }, signal);
      await this.files.finish(image.id, image.stagedDataId, formats.to);
    } catch (error) {
      await this.files.remove(image.id);
      throw error;
    }
  }

  /** What this process has made of the image's staged data. */
  async find(image: Image): Promise<ConvertedImage | undefined> {
    const formats = this.#formats(image);
    if (!formats || image.stagedDataId === null) return undefined;
    const path = await this.files.find(image.id, image.stagedDataId, formats.to);
    return path === undefined ? undefined : { path, diskFormat: formats.to };
  }

  async remove({ id }: Image): Promise<void> {
    await this.files.remove(id);
  }

  async #copy(work: ImportWork, path: string): Promise<void> {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(this.staged.read(work), file).catch((error: unknown) => {
      throw storeError(error);
    });
  }

  /** Only disks that are in no container are converted. */
  #formats(image: Image): { from: ConvertibleFormat; to: ConvertibleFormat } | undefined {
    const { importConvertTo: to } = this.config;
    const { diskFormat: from, containerFormat } = image;
    const isDisk = containerFormat === 'bare' && (from === 'raw' || from === 'qcow2');
    return isDisk && to !== 'none' && from !== to ? { from, to } : undefined;
  }
}
