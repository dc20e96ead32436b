import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { ImagesConfig } from '../config.js';
import { ImageDataRefusedError, ImageTooLargeError } from '../images/image.errors.js';
import { IMAGES_CONFIG } from '../injection-tokens.js';
import { ImageInspector } from '../inspection/image-inspector.js';
import { ImportConversion } from './import-conversion.js';
import { ImportObjects } from './import-objects.js';
import { ImportRecords } from './import-records.js';
import type { ImportWork } from './import-work.js';
import { StagedData } from './staged-data.js';

interface FinalData {
  readonly data: Readable;
  readonly diskFormat: string | null;
}

/** The phase in which an image gets its data, and becomes active with it. */
@Injectable()
export class ImportStorage {
  constructor(
    @Inject(IMAGES_CONFIG) private readonly config: ImagesConfig,
    private readonly staged: StagedData,
    private readonly conversion: ImportConversion,
    private readonly objects: ImportObjects,
    private readonly records: ImportRecords,
  ) {}

  /** @throws what `ImportObjects` and `ImportRecords` throw, or ImageDataRefusedError */
  async storeData(work: ImportWork): Promise<void> {
    const { image } = work;
    const { data, diskFormat } = await this.#open(work);
    // Of converted data, nobody has judged yet what came of it.
    const { containerFormat } = image;
    const inspector = new ImageInspector({ diskFormat, containerFormat });
    const limit = this.config.imageSizeLimit;
    await this.objects.write(
      work,
      'data',
      () =>
        Promise.resolve({
          data,
          limit,
          overLimit: () => new ImageTooLargeError(limit),
          observe: (chunk) => inspector.observe(chunk),
        }),
      async (dataId, measured) => {
        const verdict = inspector.verdict();
        if (!verdict.isAccepted) throw new ImageDataRefusedError(verdict.reason);
        const { virtualSize } = verdict;
        await this.records.complete(work, { ...measured, dataId, diskFormat, virtualSize });
      },
    );
    await this.objects.removeOrphans(work, image.stagedDataId);
    await this.conversion.remove(image);
  }

  async #open(work: ImportWork): Promise<FinalData> {
    const converted = await this.conversion.find(work.image);
    return converted
      ? { data: createReadStream(converted.path), diskFormat: converted.diskFormat }
      : { data: this.staged.read(work), diskFormat: work.image.diskFormat };
  }
}
