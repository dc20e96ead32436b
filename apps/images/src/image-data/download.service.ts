import type { Readable } from 'node:stream';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, ForbiddenError, UnavailableError } from '@cumulet/common/errors/domain-error';
import type { ByteRange, ByteStore } from '@cumulet/storage/stores/byte-store';
import { DataMissingError } from '@cumulet/storage/stores/store.errors';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Image, ImageId } from '../images/image.entity.js';
import { ImageNotFoundError } from '../images/image.errors.js';
import { ImageRepository } from '../images/image.repository.js';
import { ImagesService } from '../images/images.service.js';
import { IMAGE_STORE } from '../store/image-store.js';

/** An image that has data, with what a download needs of it. */
export interface ImageWithData extends Image {
  readonly dataId: NonNullable<Image['dataId']>;
  readonly size: number;
  readonly checksum: string;
  readonly hashValue: string;
}

/** Gives an image's data out. Public source: Image API reference, "Download binary image data". */
@Injectable()
export class DownloadService implements OnModuleDestroy {
  readonly #running = new Set<Readable>();

  constructor(
    @Inject(IMAGE_STORE) private readonly store: ByteStore,
    private readonly images: ImagesService,
    private readonly repository: ImageRepository,
  ) {}

  /**
   * @returns undefined if the image has no data yet
   * @throws ImageNotFoundError, or DomainError for data that is not given out
   */
  async find(ctx: RequestContext, id: ImageId): Promise<ImageWithData | undefined> {
    const image = await this.images.show(ctx, id);
    // Its stored bytes are no longer those that were uploaded.
    if (image.state === 'killed') {
      throw new DomainError('conflict', `The data of image ${id} is damaged and is not given out.`);
    }
    if (image.state === 'deactivated' && !ctx.isAdmin) {
      throw new ForbiddenError(
        `Image ${id} is deactivated: only an administrator may read its data.`,
      );
    }
    return hasData(image) ? image : undefined;
  }

  /** @throws ImageNotFoundError when the image was deleted since it was found */
  async open(
    ctx: RequestContext,
    image: ImageWithData,
    range: ByteRange | undefined,
  ): Promise<Readable> {
    try {
      const data = await this.store.open(image.dataId, range);
      this.#running.add(data.once('close', () => this.#running.delete(data)));
      return data;
    } catch (error) {
      const isGone =
        error instanceof DataMissingError && !(await this.repository.find(ctx, image.id));
      throw isGone ? new ImageNotFoundError(image.id) : error;
    }
  }

  onModuleDestroy(): void {
    for (const data of this.#running) {
      data.destroy(new UnavailableError('The service is being stopped.'));
    }
  }
}

function hasData(image: Image): image is ImageWithData {
  return image.state === 'active' || image.state === 'deactivated';
}
