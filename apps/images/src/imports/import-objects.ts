/**
 * Writes the objects of imports.
 *
 * Always holds: the row names an object before its first byte is written, each try writes one of
 * its own, and what no row names when a try ends is removed.
 */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ImagesConfig } from '../config.js';
import { DataMeter, type DataMeterOptions, type Measured } from '../image-data/data-meter.js';
import { OrphanedData } from '../image-data/orphaned-data.js';
import type { UploadKind } from '../image-data/upload-kind.js';
import type { DataId } from '../images/image.entity.js';
import { StoreUnavailableError } from '../images/image.errors.js';
import { IMAGE_STORE, IMAGES_CONFIG, IMAGES_LOGGER } from '../injection-tokens.js';
import { newDataId } from '../store/data-id.js';
import type { ImageStore } from '../store/image-store.js';
import { ImportRepository } from './import.repository.js';
import { runningImportOf, type ImportWork } from './import-work.js';

/** Where the bytes of an object come from, and how many they may be. */
export interface ObjectSource extends Pick<DataMeterOptions, 'limit' | 'overLimit' | 'observe'> {
  readonly data: Readable;
}

@Injectable()
export class ImportObjects {
  constructor(
    @Inject(IMAGES_CONFIG) private readonly config: ImagesConfig,
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
    @Inject(IMAGE_STORE) private readonly store: ImageStore,
    private readonly imports: ImportRepository,
    private readonly orphans: OrphanedData,
  ) {}

  /**
   * @param open is called once the object has its name
   * @param record writes down that the object is whole
   * @throws RowGoneError, what the store throws, or what `open`, its data or `record` throw
   */
  async write(
    work: ImportWork,
    kind: UploadKind,
    open: (id: DataId) => Promise<ObjectSource>,
    record: (id: DataId, measured: Measured) => Promise<void>,
  ): Promise<void> {
    const id = newDataId();
    await this.imports.nameObject(work.ctx, runningImportOf(work), kind, id);
    try {
      await this.removeOrphans(work, kind === 'data' ? work.image.dataId : work.image.stagedDataId);
      await record(id, await this.#put(id, await open(id), work.signal));
    } catch (error) {
      await this.removeOrphans(work, id);
      throw error;
    }
  }

  /** Removes an object that no row names any more; where that fails, the sweep does it. */
  async removeOrphans({ ctx, image }: ImportWork, id: DataId | null): Promise<void> {
    if (id === null) return;
    try {
      await this.orphans.remove(ctx, [id]);
    } catch (error) {
      this.logger.warn(
        { err: error, imageId: image.id, dataId: id },
        'could not look for an orphan',
      );
    }
  }

  async #put(
    id: DataId,
    { data, ...source }: ObjectSource,
    signal: AbortSignal,
  ): Promise<Measured> {
    // Whoever sends the data is watched there; this is for a store that hangs.
    const stallSeconds = 2 * this.config.uploadStallSeconds;
    const stalled = (): Error => new StoreUnavailableError(new Error('the store takes no data'));
    const meter = new DataMeter({ ...source, stallSeconds, stalled });
    const end = (): void => void meter.destroy(signal.reason as Error);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    const stored = this.store.put(id, meter).catch((error: unknown) => {
      meter.destroy(error as Error);
      throw error;
    });
    try {
      // What makes either fail makes the other fail too, and it is the store that says why.
      await Promise.allSettled([stored, pipeline(data, meter)]);
      await stored;
      return meter.measured();
    } finally {
      signal.removeEventListener('abort', end);
    }
  }
}
