import type { Sweep } from '@cumulet/common/jobs/sweep';
import type { Logger } from 'pino';
import type { DataId } from '../images/image.entity.js';
import type { ImageStore } from '../store/image-store.js';
import type { OrphanedData } from './orphaned-data.js';

/** Objects whose rows are asked for at once. */
const BATCH = 500;

/**
 * Removes what crashes have left in the store: the data of images whose row is gone, and what
 * uploads that died had written.
 */
export function orphanedDataSweep(store: ImageStore, orphans: OrphanedData, logger: Logger): Sweep {
  return {
    name: 'orphaned-data',
    everyMs: 60_000,
    async run(ctx) {
      let removed = 0;
      for await (const ids of batches(store.list())) removed += await orphans.remove(ctx, ids);
      if (removed > 0) logger.warn({ removed }, 'removed data that no image knows');
    },
  };
}

async function* batches(ids: AsyncIterable<DataId>): AsyncIterable<DataId[]> {
  let batch: DataId[] = [];
  for await (const id of ids) {
    batch.push(id);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
