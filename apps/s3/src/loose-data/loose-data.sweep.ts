/**
 * Removes the bytes that no object has any more: of deleted and overwritten objects, of aborted
 * uploads, of writers that crashed.
 *
 * Always holds: a row says that bytes are going before they go, and nobody can take them for an
 * object from then on; the row goes after them.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Metrics } from '@cumulet/common/observe/metrics';
import { SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { LOGGER } from '@cumulet/common/service/tokens';
import type { ByteStore, DataId } from '@cumulet/storage/stores/byte-store';
import { inBatches } from '@cumulet/storage/stores/in-batches';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { STORE, StoredDataRepository } from '../store/store.js';
import { LooseData } from './loose-data.entity.js';
import { LooseDataRepository } from './loose-data.repository.js';

const BATCH = 500;

/** Bytes that could not be removed are tried again then. */
const PAUSE_SECONDS = 60;

/** Parallel removals, since a remote store is slow. */
const CONCURRENCY = 8;

@Injectable()
export class LooseDataSweep {
  readonly #removed: ReturnType<Metrics['counter']>;

  constructor(
    private readonly looseData: LooseDataRepository,
    @Inject(STORE) private readonly store: ByteStore,
    private readonly claims: StoreClaims,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#removed = metrics.counter(
      's3_reclaimed_data_total',
      'Data removed from the store because no object refers to it.',
    );
  }

  @SweepEvery(10_000, 'loose-data')
  async run(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    while (!stopping.aborted) {
      const due = await this.looseData.takeDue(ctx, {
        pauseSeconds: PAUSE_SECONDS,
        limit: BATCH,
      });
      if (due.length === 0) return;
      // In a store that is not mounted, every removal would seem to succeed.
      await this.claims.requireClaimed(ctx);
      const gone = await this.#remove(due);
      await this.looseData.delete(ctx, gone);
      this.#removed.inc(gone.length);
      if (due.length < BATCH || gone.length < due.length) return;
    }
  }

  async #remove(ids: readonly DataId[]): Promise<DataId[]> {
    const left = ids.values();
    const gone: DataId[] = [];
    const removeOthers = async (): Promise<void> => {
      // The workers share the iterator.
      for (const id of left) if (await this.#isRemoved(id)) gone.push(id);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, removeOthers));
    return gone;
  }

  async #isRemoved(id: DataId): Promise<boolean> {
    try {
      await this.store.remove(id);
      return true;
    } catch (error) {
      this.logger.warn(
        { err: error, dataId: id },
        'could not remove loose data; it is tried again',
      );
      return false;
    }
  }
}

/** Listing a large store takes minutes. */
const EVERY_MS = 6 * 3_600_000;

/**
 * Finds data in the store without a row, and has it removed. It exists only if a power cut restored
 * removed files, or the database is from a backup.
 */
@Injectable()
export class UnknownDataSweep {
  constructor(
    @Inject(STORE) private readonly store: ByteStore,
    private readonly claims: StoreClaims,
    private readonly rows: StoredDataRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @SweepEvery(EVERY_MS, 'unknown-data')
  async run(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    await this.claims.requireClaimed(ctx);
    let found = 0;
    for await (const ids of inBatches(this.store.list(), BATCH)) {
      if (stopping.aborted) return;
      found += (await this.rows.loosenUnknown(ctx, ids)).length;
    }
    if (found > 0) this.logger.warn({ found }, 'the store had data that no row refers to');
  }
}

@Feature({
  providers: [LooseDataRepository, LooseDataSweep, UnknownDataSweep],
  entities: [LooseData],
})
export class LooseDataModule {}
