import { Injectable } from '@nestjs/common';
import { ImageDataRefusedError } from '../images/image.errors.js';
import { ImageInspector } from '../inspection/image-inspector.js';
import { ImportRepository } from './import.repository.js';
import { runningImportOf, type ImportWork } from './import-work.js';
import { StagedData } from './staged-data.js';

/** The phase in which staged data is judged, before any program gets to read it. */
@Injectable()
export class ImportInspection {
  constructor(
    private readonly staged: StagedData,
    private readonly imports: ImportRepository,
  ) {}

  /** @throws ImageDataRefusedError, RowGoneError, or what reading the data fails with */
  async ensureInspected(work: ImportWork): Promise<void> {
    const { ctx, image } = work;
    if (image.virtualSize !== null || image.stagedDataId === null) return;
    const inspector = new ImageInspector(image);
    for await (const chunk of this.staged.read(work) as AsyncIterable<Buffer>) {
      inspector.observe(chunk);
    }
    const verdict = inspector.verdict();
    if (!verdict.isAccepted) throw new ImageDataRefusedError(verdict.reason);
    const { virtualSize } = verdict;
    await this.imports.inspected(ctx, runningImportOf(work), image.stagedDataId, virtualSize);
  }
}
