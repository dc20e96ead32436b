import type { RequestContext } from '@cumulet/common/context/request-context';
import { silentAmong } from '@cumulet/common/jobs/liveness';
import type { Sweep } from '@cumulet/common/jobs/sweep';
import type { Logger } from 'pino';
import { UploadLostError } from '../images/image.errors.js';
import type { OrphanedData } from './orphaned-data.js';
import type { RunningUpload, UploadRepository } from './upload.repository.js';

/**
 * Takes back the uploads of processes that died, and those past their deadline, whose process hangs
 * or cannot reach the database: their images are queued again, with no bytes left.
 */
export function stalledUploadsSweep(
  uploads: UploadRepository,
  orphans: OrphanedData,
  logger: Logger,
): Sweep {
  /** Owners whose lock nobody held at the look before. */
  let suspects: ReadonlySet<string> = new Set();
  return {
    name: 'stalled-uploads',
    everyMs: 2_000,
    async run(ctx) {
      const running = await uploads.running(ctx);
      const silent = await silentOwners(ctx, running);
      for (const upload of running) {
        const { imageId, dataId, owner, isOverdue } = upload;
        const isDead = silent.has(owner) && suspects.has(owner);
        if (!isDead && !isOverdue) continue;
        if (!(await takenBack(ctx, uploads, upload))) continue;
        await orphans.remove(ctx, [dataId]);
        logger.warn({ imageId, dataId, isDead }, 'took back an upload that came to no end');
      }
      suspects = silent;
    },
  };
}

async function silentOwners(
  ctx: RequestContext,
  running: readonly RunningUpload[],
): Promise<ReadonlySet<string>> {
  const owners = [...new Set(running.map(({ owner }) => owner))];
  if (owners.length === 0) return new Set();
  return new Set(await ctx.manager.transaction((tx) => silentAmong(tx, owners)));
}

async function takenBack(
  ctx: RequestContext,
  uploads: UploadRepository,
  upload: RunningUpload,
): Promise<boolean> {
  try {
    await uploads.abort(ctx, upload, 'The upload ended without having brought all data.');
    return true;
  } catch (error) {
    // It ended by itself since it was read.
    if (error instanceof UploadLostError) return false;
    throw error;
  }
}
