import type { RequestContext } from '@cumulet/common/context/request-context';
import { silentAmong } from '@cumulet/common/jobs/liveness';
import { SweepEvery } from '@cumulet/common/service/background';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { UploadLostError } from '../images/image.errors.js';
import { IMAGES_LOGGER } from '../injection-tokens.js';
import { OrphanedData } from './orphaned-data.js';
import { UploadRepository, type RunningUpload } from './upload.repository.js';

@Injectable()
export class StalledUploadsSweep {
  /** Owners whose lock nobody held at the look before. */
  #suspects: ReadonlySet<string> = new Set();

  constructor(
    private readonly uploads: UploadRepository,
    private readonly orphans: OrphanedData,
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Takes back the uploads of processes that died, and those past their deadline, whose process
   * hangs or cannot reach the database: their images are queued again, with no bytes left.
   */
  @SweepEvery(2_000, 'stalled-uploads')
  async run(ctx: RequestContext): Promise<void> {
    const running = await this.uploads.running(ctx);
    const silent = await silentOwners(ctx, running);
    for (const upload of running) {
      const { imageId, dataId, owner, isOverdue } = upload;
      const isDead = silent.has(owner) && this.#suspects.has(owner);
      if (!isDead && !isOverdue) continue;
      if (!(await this.#takenBack(ctx, upload))) continue;
      await this.orphans.remove(ctx, [dataId]);
      this.logger.warn({ imageId, dataId, isDead }, 'took back an upload that came to no end');
    }
    this.#suspects = silent;
  }

  async #takenBack(ctx: RequestContext, upload: RunningUpload): Promise<boolean> {
    try {
      await this.uploads.abort(ctx, upload, 'The upload ended without having brought all data.');
      return true;
    } catch (error) {
      // It ended by itself since it was read.
      if (error instanceof UploadLostError) return false;
      throw error;
    }
  }
}

async function silentOwners(
  ctx: RequestContext,
  running: readonly RunningUpload[],
): Promise<ReadonlySet<string>> {
  const owners = [...new Set(running.map(({ owner }) => owner))];
  if (owners.length === 0) return new Set();
  return new Set(await ctx.manager.transaction((tx) => silentAmong(tx, owners)));
}
