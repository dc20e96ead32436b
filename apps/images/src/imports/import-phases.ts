import { Inject, Injectable } from '@nestjs/common';
import { IMAGE_STORE } from '../injection-tokens.js';
import type { ImageStore } from '../store/image-store.js';
import { ImportConversion } from './import-conversion.js';
import { ImportDownload } from './import-download.js';
import { ImportInspection } from './import-inspection.js';
import { ImportStorage } from './import-storage.js';
import type { ImportWork } from './import-work.js';

/** The phases of an import, each of them idempotent. */
@Injectable()
export class ImportPhases {
  constructor(
    private readonly download: ImportDownload,
    private readonly inspection: ImportInspection,
    private readonly conversion: ImportConversion,
    private readonly storage: ImportStorage,
    @Inject(IMAGE_STORE) private readonly store: ImageStore,
  ) {}

  ensureDownloaded(work: ImportWork): Promise<void> {
    return this.download.ensureDownloaded(work);
  }

  ensureInspected(work: ImportWork): Promise<void> {
    return this.inspection.ensureInspected(work);
  }

  ensureConverted(work: ImportWork): Promise<void> {
    return this.conversion.ensureConverted(work);
  }

  storeData(work: ImportWork): Promise<void> {
    return this.storage.storeData(work);
  }

  /** Before the row forgets them, so that there is never an object that no row knows. */
  async removeData({ image }: ImportWork): Promise<void> {
    for (const id of [image.dataId, image.stagedDataId]) if (id) await this.store.remove(id);
    await this.conversion.remove(image);
  }
}
