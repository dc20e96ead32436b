import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Sweep } from '@cumulet/common/jobs/sweep';
import { RowGoneError, WrongStateError } from '@cumulet/common/states/transition';
import type { Logger } from 'pino';
import type { OrphanedData } from './orphaned-data.js';
import type { StagedDataRepository, StagedObject } from './staged-data.repository.js';

/**
 * Removes staged data that nobody imports: its images are queued again.
 * @param hours how long it may stay
 */
export function expiredStagingSweep(
  staged: StagedDataRepository,
  orphans: OrphanedData,
  hours: number,
  logger: Logger,
): Sweep {
  const reason = `The staged data was removed, as it was not imported within ${hours} hours.`;
  return {
    name: 'expired-staging',
    everyMs: 60_000,
    async run(ctx) {
      for (const object of await staged.olderThan(ctx, hours)) {
        if (!(await expired(ctx, staged, object, reason))) continue;
        await orphans.remove(ctx, [object.dataId]);
        logger.info(object, 'removed staged data that nobody has imported');
      }
    },
  };
}

async function expired(
  ctx: RequestContext,
  staged: StagedDataRepository,
  { imageId }: StagedObject,
  reason: string,
): Promise<boolean> {
  try {
    await staged.expire(ctx, imageId, reason);
    return true;
  } catch (error) {
    // It is being imported, or was deleted, since it was read.
    if (error instanceof WrongStateError || error instanceof RowGoneError) return false;
    throw error;
  }
}
