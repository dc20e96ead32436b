/** What a project may have of images. Public source: Image administration guide, "Per-Tenant Quotas". */
import type { ProjectId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { claimQuota, QuotaExceededError } from '@cumulet/common/quotas/quota';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../config.js';
import { ImageTooLargeError } from './image.errors.js';
import { ImageRepository } from './image.repository.js';
import { IMAGES_CONFIG } from '../injection-tokens.js';

const COUNT = 'image_count_total';
const BYTES = 'image_size_total';

/** How much an upload may bring, and what it ends with when it brings more. */
export interface Allowance {
  readonly bytes: number;
  readonly exceeded: () => Error;
}

@Injectable()
export class ImageQuotas {
  constructor(
    @Inject(IMAGES_CONFIG) private readonly config: ImagesConfig,
    private readonly images: ImageRepository,
  ) {}

  /** Call it first in the transaction that inserts an image of `owner`. */
  claimImage(tx: RequestContext, owner: ProjectId): Promise<void> {
    const request = { resource: COUNT, requested: 1, limit: this.config.imageQuota };
    return claimQuota(as(tx, owner), [request], (ctx) => this.images.usage(ctx));
  }

  /**
   * Call it first in the transaction that makes `bytes` of data count for `owner`.
   * @throws QuotaExceededError or QuotaExhaustedError
   */
  claimBytes(tx: RequestContext, owner: ProjectId, bytes: number): Promise<void> {
    const request = { resource: BYTES, requested: bytes, limit: this.config.imageBytesQuota };
    return claimQuota(as(tx, owner), [request], (ctx) => this.images.usage(ctx));
  }

  /**
   * Call it first in the transaction that begins an upload. One that announces its size is
   * admitted as a whole; of another, the bytes are counted as they come.
   * @throws ImageTooLargeError, QuotaExceededError or QuotaExhaustedError
   */
  async admit(
    tx: RequestContext,
    owner: ProjectId,
    announced: number | undefined,
  ): Promise<Allowance> {
    const { imageSizeLimit, imageBytesQuota } = this.config;
    const tooLarge = (): Error => new ImageTooLargeError(imageSizeLimit);
    if (announced !== undefined && announced > imageSizeLimit) throw tooLarge();
    await this.claimBytes(tx, owner, announced ?? 1);
    if (announced !== undefined || imageBytesQuota < 0) {
      return { bytes: imageSizeLimit, exceeded: tooLarge };
    }
    const { image_size_total: used } = await this.images.usage(as(tx, owner));
    const left = imageBytesQuota - used;
    if (imageSizeLimit <= left) return { bytes: imageSizeLimit, exceeded: tooLarge };
    return {
      bytes: left,
      exceeded: () => new QuotaExceededError(BYTES, left + 1, used, imageBytesQuota),
    };
  }
}

/** An admin's upload into another project's image counts there. */
function as(ctx: RequestContext, projectId: ProjectId): RequestContext {
  return new RequestContext({ ...ctx.fields, projectId });
}
