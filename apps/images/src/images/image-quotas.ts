/** What a project may have of images. Public source: Image administration guide, "Per-Tenant Quotas". */
import type { ProjectId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { claimQuota, QuotaExceededError } from '@cumulet/common/quotas/quota';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import { ImageTooLargeError, UploadTooLongError } from './image.errors.js';
import { ImageRepository, type ImageUsage } from './image.repository.js';

/** By the names that the Image API gives them; `ImageUsage` counts each. */
export type ImageResource =
  'image_count_total' | 'image_size_total' | 'image_stage_total' | 'image_count_uploading';

type DataResource = 'image_size_total' | 'image_stage_total';

/** How much an upload may bring, and what it ends with when it brings more. */
export interface Allowance {
  readonly bytes: number;
  readonly exceeded: () => Error;
}

/**
 * Claims are the first thing in their transaction. Where one makes several, they are
 * `claimUpload`, `claimBytes`, `claimStaging` in this order, so that no two wait for each other.
 */
@Injectable()
export class ImageQuotas {
  /** Units that every project may have; -1 is without limit. */
  readonly limits: Readonly<Record<ImageResource, number>>;
  readonly #sizeLimit: number;

  constructor(
    @Inject(CONFIG) config: ImagesConfig,
    private readonly images: ImageRepository,
  ) {
    this.#sizeLimit = config.imageSizeLimit;
    this.limits = {
      image_size_total: config.imageBytesQuota,
      // What is staged takes room too: nobody may keep more of it than of images by saying nothing.
      image_stage_total: config.imageStagingQuota ?? config.imageBytesQuota,
      image_count_total: config.imageQuota,
      image_count_uploading: config.imageUploadQuota,
    };
  }

  /** What the caller's project has. */
  usage(ctx: RequestContext): Promise<ImageUsage> {
    return this.images.usage(ctx);
  }

  /** In the transaction that inserts an image of `owner`, or gives it one. @throws QuotaExhaustedError */
  claimImage(tx: RequestContext, owner: ProjectId): Promise<void> {
    return this.#claim(tx, owner, { image_count_total: 1 });
  }

  /** In the transaction that begins an upload or an import. @throws QuotaExhaustedError */
  claimUpload(tx: RequestContext, owner: ProjectId): Promise<void> {
    return this.#claim(tx, owner, { image_count_uploading: 1 });
  }

  /**
   * In the transaction that makes `bytes` of data count for `owner`.
   * @throws QuotaExceededError or QuotaExhaustedError
   */
  claimBytes(tx: RequestContext, owner: ProjectId, bytes: number): Promise<void> {
    return this.#claim(tx, owner, { image_size_total: bytes });
  }

  /**
   * In the transaction that makes `bytes` of staged data count for `owner`.
   * @throws QuotaExceededError or QuotaExhaustedError
   */
  claimStaging(tx: RequestContext, owner: ProjectId, bytes: number): Promise<void> {
    return this.#claim(tx, owner, { image_stage_total: bytes });
  }

  /**
   * In the transaction that begins an upload. One that announces its size is admitted as a whole;
   * of another, the bytes are counted as they come.
   * @throws ImageTooLargeError, QuotaExceededError or QuotaExhaustedError
   */
  admit(tx: RequestContext, owner: ProjectId, announced: number | undefined): Promise<Allowance> {
    return this.#admit(tx, owner, announced, 'image_size_total');
  }

  /** As `admit`, for data that is staged. */
  admitStaging(
    tx: RequestContext,
    owner: ProjectId,
    announced: number | undefined,
  ): Promise<Allowance> {
    return this.#admit(tx, owner, announced, 'image_stage_total');
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
    await this.#claim(tx, owner, { image_size_total: bytes, image_stage_total: bytes });
    const stored = await this.#allowance(tx, owner, announced, 'image_size_total');
    const staged = await this.#allowance(tx, owner, announced, 'image_stage_total');
    return stored.bytes <= staged.bytes ? stored : staged;
  }

  async #admit(
    tx: RequestContext,
    owner: ProjectId,
    announced: number | undefined,
    resource: DataResource,
  ): Promise<Allowance> {
    this.#checkSize(announced);
    await this.#claim(tx, owner, { image_count_uploading: 1, [resource]: announced ?? 1 });
    return this.#allowance(tx, owner, announced, resource);
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
      return { bytes: announced, exceeded: () => new UploadTooLongError(announced) };
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

  #claim(
    tx: RequestContext,
    owner: ProjectId,
    wanted: Readonly<Partial<Record<ImageResource, number>>>,
  ): Promise<void> {
    const requests = Object.entries(wanted).map(([resource, requested]) => ({
      resource,
      requested,
      limit: this.limits[resource as ImageResource],
    }));
    return claimQuota(as(tx, owner), requests, (ctx) => this.images.usage(ctx));
  }
}

/** An admin's upload into another project's image counts there. */
function as(ctx: RequestContext, projectId: ProjectId): RequestContext {
  return new RequestContext({ ...ctx.fields, projectId });
}
