/**
 * How many images and bytes a project may have. Public source: Image administration guide,
 * "Per-Tenant Quotas".
 */
import type { ProjectId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { claimQuota, QuotaExceededError } from '@cumulet/common/quotas/quota';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import { ImageTooLargeError } from './image.errors.js';
import { ImageRepository, type ImageUsage } from './image.repository.js';

type DataResource = 'image_size_total' | 'image_stage_total';

/** How much an upload may bring, and the error that ends it when it brings more. */
export interface Allowance {
  readonly bytes: number;
  readonly exceeded: () => Error;
}

/**
 * A claim comes first in its transaction and names all that the transaction needs, so that no two
 * wait for each other.
 */
@Injectable()
export class ImageQuotas {
  /** Units that every project may have; -1 for no limit. */
  readonly limits: ImageUsage;
  readonly #sizeLimit: number;

  constructor(
    @Inject(CONFIG) config: ImagesConfig,
    private readonly images: ImageRepository,
  ) {
    this.#sizeLimit = config.imageSizeLimit;
    this.limits = {
      image_size_total: config.imageBytesQuota,
      // Staged data takes room too: unless it has a quota of its own, that of images limits it.
      image_stage_total: config.imageStagingQuota ?? config.imageBytesQuota,
      image_count_total: config.imageQuota,
      image_count_uploading: config.imageUploadQuota,
    };
  }

  /**
   * Call it in the transaction that makes this much more count for `owner`.
   * @param wanted images, uploads, or bytes
   * @throws QuotaExceededError or QuotaExhaustedError
   */
  claim(tx: RequestContext, owner: ProjectId, wanted: Partial<ImageUsage>): Promise<void> {
    const requests = Object.entries(wanted).map(([resource, requested]) => ({
      resource,
      requested,
      limit: this.limits[resource as keyof ImageUsage],
    }));
    return claimQuota(as(tx, owner), requests, (ctx) => this.images.usage(ctx));
  }

  /**
   * Call it in the transaction that begins an upload. An upload that announces its size is admitted
   * as a whole; otherwise the bytes are counted as they come.
   * @param resource what the bytes count as: data, or staged data
   * @throws ImageTooLargeError, QuotaExceededError or QuotaExhaustedError
   */
  async admit(
    tx: RequestContext,
    owner: ProjectId,
    announced: number | undefined,
    resource: DataResource = 'image_size_total',
  ): Promise<Allowance> {
    this.#checkSize(announced);
    await this.claim(tx, owner, { image_count_uploading: 1, [resource]: announced ?? 1 });
    return this.#allowance(tx, owner, announced, resource);
  }

  /**
   * As `admit`, for the download of an import, which is under way already and is staged before it
   * is stored.
   */
  async admitDownload(
    tx: RequestContext,
    owner: ProjectId,
    announced: number | undefined,
  ): Promise<Allowance> {
    this.#checkSize(announced);
    const bytes = announced ?? 1;
    await this.claim(tx, owner, { image_size_total: bytes, image_stage_total: bytes });
    const stored = await this.#allowance(tx, owner, announced, 'image_size_total');
    const staged = await this.#allowance(tx, owner, announced, 'image_stage_total');
    return stored.bytes <= staged.bytes ? stored : staged;
  }

  #checkSize(announced = 0): void {
    if (announced > this.#sizeLimit) throw new ImageTooLargeError(this.#sizeLimit);
  }

  async #allowance(
    tx: RequestContext,
    owner: ProjectId,
    announced: number | undefined,
    resource: DataResource,
  ): Promise<Allowance> {
    if (announced !== undefined) {
      const message = `The upload announced ${announced} bytes and goes on after them.`;
      return { bytes: announced, exceeded: () => new InvalidInputError(message) };
    }
    const maxBytes = this.#sizeLimit;
    const tooLarge = (): Error => new ImageTooLargeError(maxBytes);
    const limit = this.limits[resource];
    if (limit < 0) return { bytes: maxBytes, exceeded: tooLarge };
    const { [resource]: used } = await this.images.usage(as(tx, owner));
    const left = limit - used;
    if (maxBytes <= left) return { bytes: maxBytes, exceeded: tooLarge };
    return {
      bytes: left,
      exceeded: () => new QuotaExceededError(resource, left + 1, used, limit),
    };
  }
}

/** An admin's upload into another project's image counts there. */
function as(ctx: RequestContext, projectId: ProjectId): RequestContext {
  return new RequestContext({ ...ctx.fields, projectId });
}
