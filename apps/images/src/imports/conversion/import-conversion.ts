import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Scope } from '@cumulet/common/reconcile/reconciler';
import { BeforeWork, SweepEvery } from '@cumulet/common/service/background';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import { storeError } from '@cumulet/storage/stores/store.errors';
import { STORED_KIND, type ImagesConfig } from '../../config.js';
import type { Image, ImageId } from '../../images/image.entity.js';
import { ImageTooLargeError } from '../../images/image.errors.js';
import { ImageWorkRepository } from '../../images/image-work.repository.js';
import { ImportData } from '../import-data.js';
import { ConversionFiles } from './conversion-files.js';
import { ImageConverter, type ConvertibleFormat } from './image-converter.js';

export interface ConvertedImage {
  readonly path: string;
  readonly diskFormat: ConvertibleFormat;
}

/** The import phase that converts images to the operator's format. */
@Injectable()
export class ImportConversion {
  constructor(
    private readonly data: ImportData,
    private readonly files: ConversionFiles,
    private readonly converter: ImageConverter,
    private readonly images: ImageWorkRepository,
    @Inject(CONFIG) private readonly config: ImagesConfig,
  ) {}

  /** @throws ConverterMissingError or ImportFolderUnsafeError if images are to be converted */
  @BeforeWork()
  async start(): Promise<void> {
    if (!this.#isOn) return;
    await this.converter.check();
    await this.files.start();
  }

  /**
   * Does nothing if the image needs no conversion.
   * @throws ConversionFailedError, ImageTooLargeError, or the errors of reading staged data
   */
  async ensureConverted(scope: Scope<Image>): Promise<void> {
    const { row: image, signal } = scope;
    const formats = this.#formats(image);
    if (!formats || image.stagedDataId === null || (await this.find(image))) return;
    const { imageSizeLimit } = this.config;
    if (formats.to === 'raw' && (image.virtualSize ?? 0) > imageSizeLimit) {
      throw new ImageTooLargeError(imageSizeLimit);
    }
    const { source, target } = await this.files.begin(image.id);
    try {
      await this.#copy(scope, source);
      const from = { path: source, format: formats.from };
      await this.converter.convert({ from, to: { path: target, format: formats.to } }, signal);
      await this.files.finish(image.id, image.stagedDataId, formats.to);
    } catch (error) {
      await this.files.remove(image.id);
      throw error;
    }
  }

  async find(image: Image): Promise<ConvertedImage | undefined> {
    const formats = this.#formats(image);
    if (!formats || image.stagedDataId === null) return undefined;
    const path = await this.files.find(image.id, image.stagedDataId, formats.to);
    return path === undefined ? undefined : { path, diskFormat: formats.to };
  }

  async remove(id: ImageId): Promise<void> {
    await this.files.remove(id);
  }

  /** Removes files of images that no longer import, such as deleted ones. */
  @SweepEvery(60_000, 'forgotten-conversions', { local: true })
  async removeForgotten(ctx: RequestContext): Promise<void> {
    if (!this.#isOn) return;
    for (const id of await this.files.list()) {
      const image = await this.images.find(ctx, id);
      if (image?.state !== 'importing') await this.files.remove(id);
    }
  }

  get #isOn(): boolean {
    return this.config.importConvertTo !== 'none';
  }

  async #copy(scope: Scope<Image>, path: string): Promise<void> {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(this.data.read(scope), file).catch((error: unknown) => {
      throw storeError(STORED_KIND, error);
    });
  }

  #formats(image: Image): { from: ConvertibleFormat; to: ConvertibleFormat } | undefined {
    const { importConvertTo: to } = this.config;
    const { diskFormat: from, containerFormat } = image;
    const isDisk = containerFormat === 'bare' && (from === 'raw' || from === 'qcow2');
    return isDisk && to !== 'none' && from !== to ? { from, to } : undefined;
  }
}
