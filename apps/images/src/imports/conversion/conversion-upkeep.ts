import type { RequestContext } from '@cumulet/common/context/request-context';
import { BeforeWork, SweepEvery } from '@cumulet/common/service/background';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../../config.js';
import { ImageRepository } from '../../images/image.repository.js';
import { IMAGES_CONFIG } from '../../injection-tokens.js';
import { ConversionFiles } from './conversion-files.js';
import { ImageConverter } from './image-converter.js';

/** Conversions in a process that works, where the settings ask for any. */
@Injectable()
export class ConversionUpkeep {
  readonly #converts: boolean;

  constructor(
    @Inject(IMAGES_CONFIG) { importConvertTo }: Pick<ImagesConfig, 'importConvertTo'>,
    private readonly converter: ImageConverter,
    private readonly files: ConversionFiles,
    private readonly images: ImageRepository,
  ) {
    this.#converts = importConvertTo !== 'none';
  }

  @BeforeWork()
  async start(): Promise<void> {
    if (!this.#converts) return;
    await this.converter.check();
    await this.files.start();
  }

  /** Removes this process's files of images that do not import any more, as those that were deleted. */
  @SweepEvery(60_000, 'forgotten-conversions', { local: true })
  async removeForgotten(ctx: RequestContext): Promise<void> {
    if (!this.#converts) return;
    for (const id of await this.files.list()) {
      const image = await this.images.find(ctx, id);
      if (image?.state !== 'importing') await this.files.remove(id);
    }
  }
}
