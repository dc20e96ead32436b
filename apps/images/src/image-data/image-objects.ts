/**
 * Writes the stored objects that hold image data, and removes orphans.
 *
 * Always holds: an object's row is committed before the object is begun, so an object without a row
 * will never have one again.
 */
import { addAbortSignal } from 'node:stream';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '@cumulet/common/service/tokens';
import { inBatches } from '@cumulet/storage/stores/in-batches';
import type { ByteStore, DataId } from '@cumulet/storage/stores/byte-store';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import { IMAGE_STORE } from '../store/image-store.js';
import { DataMeter, type DataMeterOptions, type Measured } from './data-meter.js';

/** Objects looked up per query. */
const BATCH = 500;

@Injectable()
export class ImageObjects {
  constructor(
    private readonly images: ImageWorkRepository,
    @Inject(IMAGE_STORE) private readonly store: ByteStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param pour pipes the bytes into the meter
   * @param signal aborts the write with its reason
   * @throws that reason, the store's error, or the meter's
   */
  async put(
    id: DataId,
    options: DataMeterOptions,
    pour: (meter: DataMeter) => unknown,
    signal: AbortSignal,
  ): Promise<Measured> {
    const meter = addAbortSignal(signal, new DataMeter(options));
    const stored = this.store.put(id, meter).catch((error: unknown) => {
      meter.destroy(error as Error);
      throw signal.aborted ? signal.reason : error;
    });
    // If either fails, so does the other; the store's error has the reason.
    await Promise.allSettled([stored, pour(meter)]);
    await stored;
    return meter.measured();
  }

  /**
   * Removes the given objects that no image refers to. The sweep retries what cannot be removed
   * now.
   * @param ids objects that a row named before this call, or that were listed by the store
   * @returns how many were removed
   */
  async removeOrphans(ctx: RequestContext, ids: readonly (DataId | null)[]): Promise<number> {
    const named = ids.filter((id) => id !== null);
    const known = await this.images.knownData(ctx, named);
    let removed = 0;
    for (const id of named.filter((one) => !known.has(one))) {
      try {
        await this.store.remove(id);
        removed += 1;
      } catch (error) {
        this.logger.warn({ err: error, dataId: id }, 'could not remove orphaned data yet');
      }
    }
    return removed;
  }

  /** Removes objects left behind by crashes. */
  @SweepEvery(60_000, 'orphaned-data')
  async removeAllOrphans(ctx: RequestContext): Promise<void> {
    let removed = 0;
    for await (const ids of inBatches(this.store.list(), BATCH)) {
      removed += await this.removeOrphans(ctx, ids);
    }
    if (removed > 0) this.logger.warn({ removed }, 'removed orphaned data');
  }
}
