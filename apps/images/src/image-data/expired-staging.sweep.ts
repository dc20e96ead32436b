import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { RowGoneError, WrongStateError } from '@cumulet/common/states/transition';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ImagesConfig } from '../config.js';
import { IMAGES_CONFIG, IMAGES_LOGGER } from '../injection-tokens.js';
import { OrphanedData } from './orphaned-data.js';
import { StagedDataRepository, type StagedObject } from './staged-data.repository.js';

@Injectable()
export class ExpiredStagingSweep {
  constructor(
    private readonly staged: StagedDataRepository,
    private readonly orphans: OrphanedData,
    @Inject(IMAGES_CONFIG) private readonly config: Pick<ImagesConfig, 'stagedHours'>,
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
  ) {}

  /** Removes staged data that nobody imports: its images are queued again. */
  @SweepEvery(60_000, 'expired-staging')
  async run(ctx: RequestContext): Promise<void> {
    for (const object of await this.staged.olderThan(ctx, this.config.stagedHours)) {
      if (!(await this.#expired(ctx, object))) continue;
      await this.orphans.remove(ctx, [object.dataId]);
      this.logger.info(object, 'removed staged data that nobody has imported');
    }
  }

  async #expired(ctx: RequestContext, { imageId }: StagedObject): Promise<boolean> {
    const { stagedHours } = this.config;
    const reason = `The staged data was removed, as it was not imported within ${stagedHours} hours.`;
    try {
      await this.staged.expire(ctx, imageId, reason);
      return true;
    } catch (error) {
      // It is being imported, or was deleted, since it was read.
      if (error instanceof WrongStateError || error instanceof RowGoneError) return false;
      throw error;
    }
  }
}
