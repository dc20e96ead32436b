/** Public source: Image administration guide, "Per-Tenant Quotas". */
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { defineQuotas, namesOf, type Units } from '@cumulet/common/quotas/define-quotas';
import { QuotaExceededError } from '@cumulet/common/quotas/quota.errors';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../config.js';
import { ImageTooLargeError } from './image.errors.js';

const IMAGES = `images WHERE owner = $1 AND state <> 'pending_delete'`;

/** By their names in the Image API. Bytes announced by uploads in progress count too. */
export const IMAGE_QUOTAS = defineQuotas({
  image_size_total: {
    about: 'Bytes of data.',
    default: ({ imageBytesQuota }: ImagesConfig) => imageBytesQuota,
    counted: {
      as: `sum(COALESCE(size, announced_size)) FILTER (WHERE state NOT IN ('staging', 'staged'))`,
      in: IMAGES,
    },
  },
  image_stage_total: {
    about: 'Bytes of staged data.',
    // Unless staged data has a quota of its own, that of images limits it.
    default: ({ imageStagingQuota, imageBytesQuota }: ImagesConfig) =>
      imageStagingQuota ?? imageBytesQuota,
    counted: {
      as: `sum(COALESCE(staged_size, announced_size))
             FILTER (WHERE state = 'staging' OR staged_size IS NOT NULL)`,
      in: IMAGES,
    },
  },
  image_count_total: {
    about: 'Images.',
    default: ({ imageQuota }: ImagesConfig) => imageQuota,
    counted: { as: 'count(*)', in: IMAGES },
  },
  image_count_uploading: {
    about: 'Uploads and imports under way.',
    default: ({ imageUploadQuota }: ImagesConfig) => imageUploadQuota,
    counted: {
      as: `count(*) FILTER (WHERE state IN ('saving', 'staging', 'import_waiting', 'importing'))`,
      in: IMAGES,
    },
  },
});

export type ImageQuota = keyof typeof IMAGE_QUOTAS;
export type ImageLimits = Units<ImageQuota>;
export const IMAGE_QUOTA_NAMES = namesOf(IMAGE_QUOTAS);

const MIB = 1024 * 1024;

/** The Image API counts sizes in mebibytes. */
export const UNITS: ImageLimits = {
  image_size_total: MIB,
  image_stage_total: MIB,
  image_count_total: 1,
  image_count_uploading: 1,
};

type DataResource = 'image_size_total' | 'image_stage_total';

/** Bytes that an upload may send, and the error for more. */
export interface Allowance {
  readonly bytes: number;
  readonly exceeded: () => Error;
}

@Injectable()
export class ImageQuotas extends Quotas<ImageQuota> {
  readonly #sizeLimit: number;

  constructor(@Inject(CONFIG) config: ImagesConfig) {
    super(IMAGE_QUOTAS, config);
    this.#sizeLimit = config.imageSizeLimit;
  }

  /**
   * Call this in the transaction that begins an upload. An announced size is claimed as a whole;
   * otherwise bytes are counted as they arrive.
   * @param resource the quota that the bytes count against
   * @throws ImageTooLargeError, QuotaExceededError or QuotaExhaustedError
   */
  async admit(
    tx: RequestContext,
    owner: ProjectId,
    announced: number | undefined,
    resource: DataResource = 'image_size_total',
  ): Promise<Allowance> {
    this.#checkSize(announced);
    await this.claim(tx, { image_count_uploading: 1, [resource]: announced ?? 1 }, owner);
    return this.#allowance(tx, owner, announced, resource);
  }

  /**
   * Like `admit`, for a download: its import already counts as an upload, and its data is staged
   * before it is stored.
   */
  async admitDownload(
    tx: RequestContext,
    owner: ProjectId,
    announced: number | undefined,
  ): Promise<Allowance> {
    this.#checkSize(announced);
    const bytes = announced ?? 1;
    await this.claim(tx, { image_size_total: bytes, image_stage_total: bytes }, owner);
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
      const message = `The upload exceeds the ${announced} bytes that it announced.`;
      return { bytes: announced, exceeded: () => new InvalidInputError(message) };
    }
    const maxBytes = this.#sizeLimit;
    const tooLarge = (): Error => new ImageTooLargeError(maxBytes);
    const { [resource]: quota } = await this.usage(tx, owner);
    const { limit, used } = quota;
    if (limit < 0) return { bytes: maxBytes, exceeded: tooLarge };
    const left = limit - used;
    if (maxBytes <= left) return { bytes: maxBytes, exceeded: tooLarge };
    return {
      bytes: left,
      exceeded: () => new QuotaExceededError(resource, left + 1, used, limit),
    };
  }
}
