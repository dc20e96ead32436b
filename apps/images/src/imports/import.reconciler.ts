/**
 * The phases of an import, in order, from nudge to active image. Public source: Image API
 * reference, "Interoperable image import".
 *
 * Always holds: the image's generation identifies the import. Once the image is deleted or the
 * import has ended, no row matches.
 */
import { createReadStream } from 'node:fs';
import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@cumulet/common/database/transaction';
import {
  phase,
  type Phase,
  type Plan,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { CONFIG } from '@cumulet/common/service/tokens';
import { RowGoneError, transition } from '@cumulet/common/states/transition';
import { ImportConversion } from './conversion/import-conversion.js';
import type { ImagesConfig } from '../config.js';
import { ImageQuotas } from '../images/image-quotas.js';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import type { Image } from '../images/image.entity.js';
import { ImageTooLargeError } from '../images/image.errors.js';
import { type ImageEvent, type ImageState, imageStates } from '../images/image.states.js';
import { TaskRepository } from '../images/tasks/task.repository.js';
import { ImageInspector } from '../inspection/image-inspector.js';
import { change, ImportData } from './import-data.js';
import { uriOf } from './import.dto.js';
import { ImportUriMissingError } from './import.errors.js';

/** The sweep wakes imports at their turn; this is for clouds whose sweeps do not run. */
const LOOK_AGAIN_MS = 30_000;

type ImportScope = Scope<Image>;

@Injectable()
export class ImportReconciler {
  readonly plans: Partial<Record<ImageState, Plan<Image, ImageEvent>>>;

  constructor(
    @Inject(CONFIG) private readonly config: ImagesConfig,
    private readonly images: ImageWorkRepository,
    private readonly tasks: TaskRepository,
    private readonly quotas: ImageQuotas,
    private readonly data: ImportData,
    private readonly conversion: ImportConversion,
  ) {
    const release = [
      phase('removeConverted', ({ row }: ImportScope) => this.conversion.remove(row.id)),
    ];
    this.plans = {
      import_waiting: {
        // The phase moves the row itself, since rows decide whose turn it is.
        phases: [phase('takeTurn', (scope: ImportScope) => this.#takeTurn(scope))],
        goesOn: true,
        release,
      },
      importing: {
        phases: [
          this.#phase('ensureDownloaded', (scope) => this.#ensureDownloaded(scope)),
          this.#phase('ensureInspected', (scope) => this.#ensureInspected(scope)),
          this.#phase('ensureConverted', (scope) => this.conversion.ensureConverted(scope)),
          // The phase moves the row itself: the image gets its data and becomes active in one step.
          this.#phase('storeData', (scope) => this.#storeData(scope)),
        ],
        release,
      },
    };
  }

  /** Keeps a project from occupying all workers. */
  #takeTurn({ ctx, row }: ImportScope): Promise<Wait | undefined> {
    return inTransaction(ctx, async (tx) => {
      const isTaken = await this.images.isTurnOf(tx, row, this.config.importsPerProject);
      if (!isTaken) return { waitMs: LOOK_AGAIN_MS };
      const { id, generation } = row;
      await transition(tx, imageStates, id, 'beginImport', { only: { generation } });
      await this.tasks.begin(tx, id);
      return undefined;
    });
  }

  async #ensureDownloaded(scope: ImportScope): Promise<void> {
    const { ctx, row } = scope;
    if (row.stagedSize !== null) return;
    const task = await this.tasks.findRunning(ctx, row.id);
    const uri = task && uriOf(task);
    if (uri === undefined) throw new ImportUriMissingError();
    await this.data.download(scope, uri);
  }

  /** Inspects data before any program reads it. */
  async #ensureInspected(scope: ImportScope): Promise<void> {
    const { ctx, row } = scope;
    const { virtualSize: known, stagedDataId } = row;
    if (known !== null || stagedDataId === null) return;
    const inspector = new ImageInspector(row);
    for await (const chunk of this.data.read(scope) as AsyncIterable<Buffer>) {
      inspector.observe(chunk);
    }
    await change(ctx, row, { stagedDataId }, { virtualSize: inspector.acceptedSize() });
  }

  async #storeData(scope: ImportScope): Promise<void> {
    const { ctx, row } = scope;
    const { id, owner, generation, announcedSize } = row;
    const converted = await this.conversion.find(row);
    const diskFormat = converted?.diskFormat ?? row.diskFormat;
    // Converted data has not been inspected yet.
    const inspector = new ImageInspector({ diskFormat, containerFormat: row.containerFormat });
    const limit = this.config.imageSizeLimit;
    const source = {
      data: converted ? createReadStream(converted.path) : this.data.read(scope),
      limit,
      overLimit: () => new ImageTooLargeError(limit),
      observe: (chunk: Buffer) => inspector.observe(chunk),
    };
    await this.data.write(
      scope,
      'dataId',
      () => Promise.resolve(source),
      async (dataId, { size, md5: checksum, sha512: hashValue }) => {
        const virtualSize = inspector.acceptedSize();
        const set = { size, checksum, hashValue, virtualSize, diskFormat };
        await inTransaction(ctx, async (tx) => {
          // Converted data can be larger than what was imported.
          const more = size - (announcedSize ?? 0);
          await this.quotas.claim(tx, { image_size_total: more }, owner);
          await transition(tx, imageStates, id, 'imported', { only: { generation, dataId }, set });
          const end = { status: 'success', result: { image_id: id } } as const;
          await this.tasks.end(tx, id, end, this.config.taskLifetimeHours);
        });
      },
    );
    await this.data.removeOrphan(ctx, row.stagedDataId);
    await this.conversion.remove(row.id);
  }

  #phase(name: string, run: (scope: ImportScope) => Promise<void>): Phase<Image> {
    return importPhase(name, this.images, run);
  }
}

/** How often a phase checks that the image still exists. */
const LOOK_MS = 2_000;

/** A phase that reloads the row at its start, and aborts if the image is deleted meanwhile. */
export function importPhase(
  name: string,
  images: Pick<ImageWorkRepository, 'find' | 'isUnmoved'>,
  run: (scope: Scope<Image>) => Promise<void>,
  lookMs = LOOK_MS,
): Phase<Image> {
  return phase(name, async ({ ctx, row: { id, generation }, signal }: Scope<Image>) => {
    const gone = new RowGoneError(imageStates.resource, id);
    const row = await images.find(ctx, id);
    if (row?.generation !== generation) throw gone;
    const lost = new AbortController();
    const look = async (): Promise<void> => {
      // If this cannot be determined, the import continues.
      const isWanted = await images.isUnmoved(ctx, row).catch(() => true);
      if (!isWanted) lost.abort(gone);
    };
    const timer = setInterval(() => void look(), lookMs);
    timer.unref();
    try {
      await run({ ctx, row, signal: AbortSignal.any([signal, lost.signal]) });
    } finally {
      clearInterval(timer);
    }
  });
}
