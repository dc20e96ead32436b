import { Readable } from 'node:stream';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataMissingError, StoreUnavailableError } from '../images/image.errors.js';
import { IMAGE_STORE } from '../injection-tokens.js';
import type { ImageStore } from '../store/image-store.js';
import { StagedDataDamagedError } from './import.errors.js';
import type { ImportWork } from './import-work.js';

/** Reads what is staged for an image. */
@Injectable()
export class StagedData {
  constructor(@Inject(IMAGE_STORE) private readonly store: ImageStore) {}

  /** Fails with `StagedDataDamagedError` where there is not as much as was staged, or what the store throws. */
  read(work: ImportWork): Readable {
    return Readable.from(this.#chunks(work), { objectMode: false });
  }

  async *#chunks({ image, signal }: ImportWork): AsyncIterable<Buffer> {
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
