import { Injectable } from '@nestjs/common';
import { DownloadSizeMismatchError, ImportUriMissingError } from './import.errors.js';
import { ImportObjects } from './import-objects.js';
import { ImportRecords } from './import-records.js';
import { uriOf } from './import-request.js';
import type { ImportWork } from './import-work.js';
import { WebDownload } from './web-download/web-download.js';

/** The phase in which data gets staged that is on the web. */
@Injectable()
export class ImportDownload {
  constructor(
    private readonly web: WebDownload,
    private readonly objects: ImportObjects,
    private readonly records: ImportRecords,
  ) {}

  /** @throws what `WebDownload`, `ImportObjects` and `ImportRecords` throw */
  async ensureDownloaded(work: ImportWork): Promise<void> {
    if (work.image.stagedSize !== null) return;
    const uri = uriOf(work.task);
    if (uri === undefined) throw new ImportUriMissingError();
    let announced: number | undefined;
    await this.objects.write(
      work,
      'staged data',
      async (id) => {
        const { data, announcedSize } = await this.web.open(uri, work.signal);
        announced = announcedSize;
        try {
          const allowance = await this.records.admitDownload(work, id, announced);
          return { data, limit: allowance.bytes, overLimit: allowance.exceeded };
        } catch (error) {
          data.destroy();
          throw error;
        }
      },
      async (id, { size }) => {
        if (announced !== undefined && announced !== size) {
          throw new DownloadSizeMismatchError(announced, size);
        }
        await this.records.downloaded(work, id, size, announced);
      },
    );
  }
}
