/**
 * Removes images from this host's cache that no server here has used for a while. They are downloaded
 * again when one does. Public source: Nova, `remove_unused_original_minimum_age_seconds`.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { imageName, type BootImage } from '../hypervisor/boot-image.js';
import { type HypervisorDriver, HYPERVISOR } from '../hypervisor/hypervisor-driver.js';
import type { Snapshot } from '../servers/snapshots/snapshot.js';

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
   * By the rows, since a server is here before its images are, and kernels have no disk over them.
   * With servers whose resize has taken room here: it may yet be confirmed or reverted. And with the
   * disks that they come with, which are made once all of those are here.
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
