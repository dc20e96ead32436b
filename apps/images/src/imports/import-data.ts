/**
 * The bytes of an import: reads what is staged, and writes objects.
 *
 * Always holds: the row names an object before its first byte is written, each try writes one of
 * its own, and what no row names when a try ends is removed.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Scope } from '@cumulet/common/reconcile/reconciler';
import { amend } from '@cumulet/common/states/transition';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import type { DataMeterOptions, Measured } from '../image-data/data-meter.js';
import { ImageObjects } from '../image-data/image-objects.js';
import type { DataId, Image } from '../images/image.entity.js';
import { DataMissingError, StoreUnavailableError } from '../images/image.errors.js';
import type { Allowance } from '../images/image-quotas.js';
import { imageStates } from '../images/image.states.js';
import { newDataId, type ImageStore, IMAGE_STORE } from '../store/image-store.js';
import { DownloadSizeMismatchError, StagedDataDamagedError } from './import.errors.js';
import { WebDownload } from './web-download/web-download.js';

/** Where the bytes of an object come from, and how many they may be. */
export interface ObjectSource extends Pick<DataMeterOptions, 'limit' | 'overLimit' | 'observe'> {
  readonly data: Readable;
}

/** What has been downloaded as a whole. */
export interface Download {
  readonly id: DataId;
  readonly size: number;
  /** What the server had announced, where it had. */
  readonly announced: number | undefined;
}

export interface DownloadSteps {
  /** Is told what the server announces, before any byte is taken. */
  readonly admit: (id: DataId, announced: number | undefined) => Promise<Allowance>;
  readonly record: (download: Download) => Promise<void>;
}

@Injectable()
export class ImportData {
  constructor(
    @Inject(CONFIG) private readonly config: ImagesConfig,
    @Inject(IMAGE_STORE) private readonly store: ImageStore,
    private readonly objects: ImageObjects,
    private readonly web: WebDownload,
  ) {}

  /**
   * What is staged for the image. Fails with `StagedDataDamagedError` where there is not as much as
   * was staged, or with what the store throws.
   */
  read(scope: Scope<Image>): Readable {
    return Readable.from(this.#staged(scope), { objectMode: false });
  }

  /**
   * Stages what is at an address on the web.
   * @throws what `WebDownload`, `write` and the steps throw, or DownloadSizeMismatchError
   */
  async download(
    scope: Scope<Image>,
    uri: string,
    { admit, record }: DownloadSteps,
  ): Promise<void> {
    let announced: number | undefined;
    const open = async (id: DataId): Promise<ObjectSource> => {
      const { data, announcedSize } = await this.web.open(uri, scope.signal);
      announced = announcedSize;
      try {
        const { bytes, exceeded } = await admit(id, announced);
        return { data, limit: bytes, overLimit: exceeded };
      } catch (error) {
        data.destroy();
        throw error;
      }
    };
    await this.write(scope, 'stagedDataId', open, async (id, { size }) => {
      if (announced !== undefined && announced !== size) {
        throw new DownloadSizeMismatchError(announced, size);
      }
      await record({ id, size, announced });
    });
  }

  /**
   * Writes an object in place of what an earlier try has named.
   * @param column which of the image's two objects it is
   * @param open is called once the object has its name
   * @param record writes down that the object is whole
   * @throws SupersededError, what the store throws, or what `open`, its data or `record` throw
   */
  async write(
    { ctx, row, signal }: Scope<Image>,
    column: 'dataId' | 'stagedDataId',
    open: (id: DataId) => Promise<ObjectSource>,
    record: (id: DataId, measured: Measured) => Promise<void>,
  ): Promise<void> {
    const id = newDataId();
    // What an earlier download has announced counts no more.
    const set = column === 'dataId' ? { dataId: id } : { stagedDataId: id, announcedSize: null };
    await amend(ctx, imageStates, row.id, { only: { generation: row.generation }, set });
    try {
      await this.removeOrphan(ctx, row[column]);
      await record(id, await this.#put(id, await open(id), signal));
    } catch (error) {
      await this.removeOrphan(ctx, id);
      throw error;
    }
  }

  /** Removes an object that no row names any more; where that fails, the sweep does it. */
  async removeOrphan(ctx: RequestContext, id: DataId | null): Promise<void> {
    await this.objects.removeOrphans(ctx, [id]).catch(() => 0);
  }

  #put(id: DataId, { data, ...source }: ObjectSource, signal: AbortSignal): Promise<Measured> {
    // Whoever sends the data is watched there; this is for a store that hangs.
    const stallSeconds = 2 * this.config.uploadStallSeconds;
    const stalled = (): Error => new StoreUnavailableError(new Error('the store takes no data'));
    const options = { ...source, stallSeconds, stalled };
    return this.objects.put(id, options, (meter) => pipeline(data, meter), signal);
  }

  async *#staged({ row: image, signal }: Scope<Image>): AsyncIterable<Buffer> {
    const { id, stagedDataId, stagedSize } = image;
    if (stagedDataId === null) throw new StagedDataDamagedError(id);
    const data = await this.store.open(stagedDataId).catch((error: unknown) => {
      throw error instanceof DataMissingError ? new StagedDataDamagedError(id, error) : error;
    });
    const end = (): void => void data.destroy(signal.reason as Error);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    try {
      let size = 0;
      for await (const chunk of data as AsyncIterable<Buffer>) {
        size += chunk.length;
        yield chunk;
      }
      if (size !== stagedSize) throw new StagedDataDamagedError(id);
    } catch (error) {
      if (signal.aborted) throw signal.reason as Error;
      // What breaks off in the middle can be read another time.
      throw error instanceof DomainError ? error : new StoreUnavailableError(error);
    } finally {
      signal.removeEventListener('abort', end);
      data.destroy();
    }
  }
}
