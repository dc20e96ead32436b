import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { DataId } from '../images/image.entity.js';
import { IMAGE_STORE, IMAGES_LOGGER } from '../injection-tokens.js';
import type { ImageStore } from '../store/image-store.js';
import { OrphanedData } from './orphaned-data.js';

/** Objects whose rows are asked for at once. */
const BATCH = 500;

@Injectable()
export class OrphanedDataSweep {
  constructor(
    @Inject(IMAGE_STORE) private readonly store: ImageStore,
    private readonly orphans: OrphanedData,
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Removes what crashes have left in the store: the data of images whose row is gone, and what
   * uploads that died had written.
   */
  @SweepEvery(60_000, 'orphaned-data')
  async run(ctx: RequestContext): Promise<void> {
    let removed = 0;
    for await (const ids of batches(this.store.list()))
      removed += await this.orphans.remove(ctx, ids);
    if (removed > 0) this.logger.warn({ removed }, 'removed data that no image knows');
  }
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
