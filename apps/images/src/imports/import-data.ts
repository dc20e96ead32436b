/**
 * Reads staged data and writes objects for imports.
 *
 * Always holds: the row names an object before its first byte is written, each attempt writes an
 * object of its own, and an object that no row names when an attempt ends is removed.
 */
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { Scope } from '@cumulet/common/reconcile/reconciler';
import type { ColumnValues } from '@cumulet/common/states/state-table';
import { amend } from '@cumulet/common/states/transition';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import { type ByteStore, type DataId, newDataId } from '@cumulet/storage/stores/byte-store';
import { DataMissingError, StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { STORED_KIND, type ImagesConfig } from '../config.js';
import { storeHangs, type DataMeterOptions, type Measured } from '../image-data/data-meter.js';
import { ImageObjects } from '../image-data/image-objects.js';
import type { Image } from '../images/image.entity.js';
import { ImageQuotas } from '../images/image-quotas.js';
import { imageStates } from '../images/image.states.js';
import { IMAGE_STORE } from '../store/image-store.js';
import { DownloadSizeMismatchError, StagedDataDamagedError } from './import.errors.js';
import { WebDownload } from './web-download/web-download.js';

export interface ObjectSource extends Pick<DataMeterOptions, 'limit' | 'overLimit' | 'observe'> {
  readonly data: Readable;
}

@Injectable()
export class ImportData {
  constructor(
    @Inject(CONFIG) private readonly config: ImagesConfig,
    @Inject(IMAGE_STORE) private readonly store: ByteStore,
    private readonly objects: ImageObjects,
    private readonly quotas: ImageQuotas,
    private readonly web: WebDownload,
  ) {}

  /**
   * The stream fails with `StagedDataDamagedError` if less or more is there than was staged, or
   * with the store's errors.
   */
  read(scope: Scope<Image>): Readable {
    return Readable.from(this.#staged(scope), { objectMode: false });
  }

  /**
   * Downloads and stages data, which counts towards the quota of the image's owner.
   * @throws the errors of `WebDownload`, `ImageQuotas` and `write`, or DownloadSizeMismatchError
   */
  async download(scope: Scope<Image>, uri: string): Promise<void> {
    const { ctx, row, signal } = scope;
    let announced: number | undefined;
    const open = async (stagedDataId: DataId): Promise<ObjectSource> => {
      const { data, announcedSize } = await this.web.open(uri, signal);
      announced = announcedSize;
      try {
        return await inTransaction(ctx, async (tx) => {
          const { bytes, exceeded } = await this.quotas.admitDownload(tx, row.owner, announced);
          await change(tx, row, { stagedDataId }, { announcedSize: announced ?? null });
          return { data, limit: bytes, overLimit: exceeded };
        });
      } catch (error) {
        data.destroy();
        throw error;
      }
    };
    await this.write(scope, 'stagedDataId', open, async (stagedDataId, { size }) => {
      if (announced !== undefined && announced !== size) {
        throw new DownloadSizeMismatchError(announced, size);
      }
      await inTransaction(ctx, async (tx) => {
        const bytes = { image_size_total: size - (announced ?? 0), image_stage_total: size };
        await this.quotas.claim(tx, bytes, row.owner);
        await change(tx, row, { stagedDataId }, { stagedSize: size, announcedSize: size });
      });
    });
  }

  /**
   * Writes an object, replacing that of an earlier attempt.
   * @param column the column that names the object
   * @param open called once the row names the object
   * @param record saves that the object is complete
   * @throws SupersededError, the store's errors, or those of `open`, its data or `record`
   */
  async write(
    { ctx, row, signal }: Scope<Image>,
    column: 'dataId' | 'stagedDataId',
    open: (id: DataId) => Promise<ObjectSource>,
    record: (id: DataId, measured: Measured) => Promise<void>,
  ): Promise<void> {
    const id = newDataId();
    // The announcement of an earlier download no longer counts.
    const set = column === 'dataId' ? { dataId: id } : { stagedDataId: id, announcedSize: null };
    await change(ctx, row, {}, set);
    try {
      await this.removeOrphan(ctx, row[column]);
      await record(id, await this.#put(id, await open(id), signal));
    } catch (error) {
      await this.removeOrphan(ctx, id);
      throw error;
    }
  }

  /** If this fails, the sweep removes the object. */
  async removeOrphan(ctx: RequestContext, id: DataId | null): Promise<void> {
    await this.objects.removeOrphans(ctx, [id]).catch(() => 0);
  }

  #put(id: DataId, { data, ...source }: ObjectSource, signal: AbortSignal): Promise<Measured> {
    // The sender is monitored elsewhere; this detects a store that hangs.
    const stallSeconds = 2 * this.config.uploadStallSeconds;
    const options = { ...source, stallSeconds, stalled: storeHangs };
    return this.objects.put(id, options, (meter) => pipeline(data, meter), signal);
  }

  async *#staged({ row: image, signal }: Scope<Image>): AsyncIterable<Buffer> {
    const { id, stagedDataId, stagedSize } = image;
    if (stagedDataId === null) throw new StagedDataDamagedError(id);
    const data = await this.store.open(stagedDataId).catch((error: unknown) => {
      throw error instanceof DataMissingError ? new StagedDataDamagedError(id, error) : error;
    });
    addAbortSignal(signal, data);
    try {
      let size = 0;
      for await (const chunk of data as AsyncIterable<Buffer>) {
        size += chunk.length;
        yield chunk;
      }
      if (size !== stagedSize) throw new StagedDataDamagedError(id);
    } catch (error) {
      if (signal.aborted) throw signal.reason as Error;
      // A read that breaks off can be retried.
      throw error instanceof DomainError ? error : new StoreUnavailableError(STORED_KIND, error);
    } finally {
      data.destroy();
    }
  }
}

/**
 * Saves the progress of an import.
 * @throws SupersededError if the import has ended or another worker has taken it over
 */
export function change(
  ctx: RequestContext,
  { id, generation }: Image,
  only: ColumnValues,
  set: ColumnValues,
): Promise<void> {
  return amend(ctx, imageStates, id, { only: { generation, ...only }, set });
}
