/** Evicts unused cached images (Nova, `remove_unused_original_minimum_age_seconds`). */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Entity } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { internal } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { id, text } from '@cumulet/common/resources/field-type';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { asService } from '@cumulet/clients/http/actor';
import type { ComputeConfig } from '../config.js';
import { imageName, type BootImage } from '../hypervisor/boot-image.js';
import { type HypervisorDriver, HYPERVISOR } from '../hypervisor/hypervisor-driver.js';
import type { Snapshot } from '../servers/snapshots/snapshot.js';
import { type Images, IMAGES } from '../images.port.js';
import { IS_UP } from '../hosts/host.entity.js';

@Injectable()
export class UnusedImagesSweep {
  constructor(
    @Inject(HYPERVISOR) private readonly hypervisor: HypervisorDriver,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  @SweepEvery(60_000, 'unused-images', { local: true })
  async run(ctx: RequestContext): Promise<void> {
    const { unusedImageSeconds } = this.config;
    if (unusedImageSeconds < 0) return;
    await this.hypervisor.images.evictUnusedImages(unusedImageSeconds * 1_000, () =>
      this.#neededHere(ctx),
    );
  }

  /**
   * Read from the rows, which precede the images; kernels have no layer over them. Resizes to this
   * host count until they are confirmed or reverted, as do the disks that they carry.
   */
  async #neededHere({ manager }: RequestContext): Promise<Set<string>> {
    const rows: {
      readonly image: BootImage;
      readonly rescue_image: BootImage | null;
      readonly carried: Snapshot['localDisks'] | null;
    }[] = await manager.query(
      `SELECT image, rescue_image, snapshot->'localDisks' AS carried FROM servers WHERE host = $1
        UNION SELECT image, NULL, NULL FROM server_resizes WHERE host = $1`,
      [this.config.host],
    );
    const images = rows.flatMap(({ image, rescue_image, carried }) => [
      ...[image, rescue_image].flatMap((one) => [one, one?.kernel, one?.ramdisk]),
      ...(carried ?? []).map(({ made }) => made),
    ]);
    return new Set(images.flatMap((image) => (image ? [imageName(image)] : [])));
  }
}

/** Has hosts cache images, unless they are down. */
export async function wantImages(
  ctx: RequestContext,
  hosts: readonly string[],
  imageIds: readonly string[],
): Promise<void> {
  await ctx.manager.query(
    `INSERT INTO wanted_images (host, image_id)
     SELECT name, image_id FROM hosts, unnest($2::uuid[]) AS image_id
      WHERE name = ANY($1::text[]) AND ${IS_UP}
     ON CONFLICT DO NOTHING`,
    [hosts, imageIds],
  );
}

/**
 * Caches images for administrators. A failure is logged and dropped: a server that needs the image
 * will report it. Public source: nova, `compute/manager.py`, cache_images.
 */
@Injectable()
export class WantedImagesSweep {
  constructor(
    @Inject(HYPERVISOR) private readonly hypervisor: HypervisorDriver,
    @Inject(IMAGES) private readonly images: Images,
    @Inject(CONFIG) private readonly config: ComputeConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** One at a time: servers that are being built here need the bandwidth. */
  @SweepEvery(2_000, 'wanted-images', { local: true })
  async run(ctx: RequestContext): Promise<void> {
    const { host } = this.config;
    const wanted: { id: string }[] = await ctx.manager.query(
      'SELECT image_id AS id FROM wanted_images WHERE host = $1 ORDER BY image_id',
      [host],
    );
    for (const { id } of wanted) {
      await this.#cache(ctx, id).catch((error: unknown) =>
        this.logger.error({ err: error, host, image: id }, 'could not cache an image'),
      );
      // Deleted last, so that another process resumes after a crash.
      await ctx.manager.query('DELETE FROM wanted_images WHERE host = $1 AND image_id = $2', [
        host,
        id,
      ]);
    }
  }

  async #cache(ctx: RequestContext, imageId: string): Promise<void> {
    const found = await this.images.find(asService(ctx), imageId);
    const { id, status, diskFormat, sizeBytes, sha512 } = found ?? {};
    if (id === undefined || status !== 'active' || diskFormat === undefined || sha512 === undefined)
      throw new Error(`image ${imageId} is ${status ?? 'not there'}, or has no format or hash`);
    const image = { id, diskFormat, sha512, ...(sizeBytes === undefined ? {} : { sizeBytes }) };
    // `hasBaseImage` counts as a use, so that a fresh image is not evicted.
    if (await this.hypervisor.images.hasBaseImage(image)) return;
    await this.hypervisor.images.putBaseImage(image, () =>
      this.images.download(asService(ctx), id),
    );
  }
}

const WANTED_KEY = { primary: true, primaryKeyConstraintName: 'wanted_images_pkey' };

/** An image that a host is to cache before a server needs it. */
@Entity('wanted_images')
export class WantedImage extends rowOf({
  host: internal(text(), WANTED_KEY),
  imageId: internal(id(), WANTED_KEY),
}) {}
