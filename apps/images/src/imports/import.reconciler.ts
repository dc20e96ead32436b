/**
 * Brings the data of an image that is being imported from where it is to where it belongs. Read top
 * to bottom it is the life of an import, from nudge to active image. Public source: Image API
 * reference, "Interoperable image import".
 */
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  phase,
  type Phase,
  type Plan,
  type Reconciler,
} from '@cumulet/common/reconcile/reconciler';
import { Injectable } from '@nestjs/common';
import { Reconciles } from '@cumulet/common/service/background';
import { type ImagesConfig } from '../config.js';
import type { Image, ImageId } from '../images/image.entity.js';
import { ImageRepository } from '../images/image.repository.js';
import { imageStates, type ImageEvent, type ImageState } from '../images/image.states.js';
import { importTaskOf, DOWNLOAD_TASK, IMAGE_TASK } from './image.tasks.js';
import { ImportHold } from './import-hold.js';
import { ImportPhases } from './import-phases.js';
import { ImportRecords } from './import-records.js';
import { ImportTurns } from './import-turns.js';
import type { ImportWork } from './import-work.js';

/** Downloads have slots of their own, so that slow servers hold up no other import. */
@Reconciles(({ importConcurrency, webDownloadConcurrency }: ImagesConfig) => [
  { tasks: [IMAGE_TASK], concurrency: importConcurrency },
  { tasks: [DOWNLOAD_TASK], concurrency: webDownloadConcurrency },
])
@Injectable()
export class ImportReconciler implements Reconciler<Image, ImageState, ImageEvent> {
  readonly states = imageStates;
  readonly plans: Partial<Record<ImageState, Plan<Image, ImageEvent>>>;

  constructor(
    private readonly images: ImageRepository,
    private readonly records: ImportRecords,
    private readonly hold: ImportHold,
    turns: ImportTurns,
    phases: ImportPhases,
  ) {
    const release = [this.#phase('removeData', (work) => phases.removeData(work))];
    this.plans = {
      import_waiting: {
        // The phase moves the row itself, as whose turn it is shows in the rows.
        phases: [phase('takeTurn', (scope) => turns.take(scope))],
        goesOn: true,
        release,
      },
      importing: {
        phases: [
          this.#phase('ensureDownloaded', (work) => phases.ensureDownloaded(work)),
          this.#phase('ensureInspected', (work) => phases.ensureInspected(work)),
          this.#phase('ensureConverted', (work) => phases.ensureConverted(work)),
          // The phase moves the row itself, as having its data and being active are one step.
          this.#phase('storeData', (work) => phases.storeData(work)),
        ],
        release,
      },
    };
  }

  taskOf(image: Image): string {
    return importTaskOf(image);
  }

  load(ctx: RequestContext, id: string): Promise<Image | undefined> {
    return this.images.find(ctx, asId<ImageId>(id));
  }

  /** An upload that nobody has taken back in time ends here too, and has no task to end. */
  async ended(
    tx: RequestContext,
    id: string,
    event: ImageEvent,
    reason: string | null,
  ): Promise<void> {
    if (event === 'abort') await this.records.failed(tx, asId<ImageId>(id), reason ?? '');
  }

  #phase(name: string, run: (work: ImportWork) => Promise<void>): Phase<Image> {
    return phase(name, (scope) => this.hold.during(scope, run));
  }
}
