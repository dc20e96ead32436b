/**
 * Moves images out of states in which they cannot stay: uploads of dead processes, staged data that
 * nobody imports, imports and deletions.
 */
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { silentAmong } from '@cumulet/common/jobs/liveness';
import {
  phase,
  type Plan,
  type Reconciler,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { Reconciles, SweepEvery } from '@cumulet/common/service/background';
import { Inject, Injectable } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ByteStore } from '@cumulet/storage/stores/byte-store';
import { StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { STORED_KIND, type ImagesConfig } from '../config.js';
import { ImageObjects } from '../image-data/image-objects.js';
import { ImportReconciler } from '../imports/import.reconciler.js';
import { IMAGE_STORE } from '../store/image-store.js';
import { TaskRepository } from '../images/tasks/task.repository.js';
import type { Image, ImageId } from '../images/image.entity.js';
import { imageStates, type ImageEvent, type ImageState } from '../images/image.states.js';
import { DOWNLOAD_TASK, imageTaskOf, IMPORT_TASK, UPKEEP_TASK } from '../images/image.tasks.js';
import { ImageWorkRepository } from '../images/image-work.repository.js';

const LOOK_MS = { alive: 3_000, silent: 2_000, staged: 3_600_000 };

/** Deletions and checks of uploads at a time, per process. */
const UPKEEP_CONCURRENCY = 4;

const ABANDONED = 'The upload ended before all data had arrived.';

type ImageScope = Scope<Image>;

@Reconciles(({ importConcurrency, webDownloadConcurrency }: ImagesConfig) => [
  { tasks: [IMPORT_TASK], concurrency: importConcurrency },
  { tasks: [DOWNLOAD_TASK], concurrency: webDownloadConcurrency },
  { tasks: [UPKEEP_TASK], concurrency: UPKEEP_CONCURRENCY },
])
@Injectable()
export class ImageReconciler implements Reconciler<Image, ImageState, ImageEvent> {
  readonly states = imageStates;
  readonly plans: Partial<Record<ImageState, Plan<Image, ImageEvent>>>;
  /** Uploads whose process was silent at the last check, and their generation then. */
  readonly #silent = new Map<ImageId, number>();

  constructor(
    @Inject(CONFIG) private readonly config: ImagesConfig,
    @Inject(IMAGE_STORE) private readonly store: ByteStore,
    private readonly images: ImageWorkRepository,
    private readonly tasks: TaskRepository,
    private readonly objects: ImageObjects,
    imports: ImportReconciler,
  ) {
    const upload = {
      phases: [phase('awaitUpload', (scope: ImageScope) => this.#awaitUpload(scope))],
      overdue: ABANDONED,
    };
    this.plans = {
      saving: upload,
      staging: upload,
      staged: {
        phases: [phase('awaitImport', (scope: ImageScope) => this.#awaitImport(scope))],
        failure: 'expire',
        overdue: this.#expired.message,
      },
      ...imports.plans,
      pending_delete: {
        phases: [
          phase('removeObjects', (scope: ImageScope) => this.#removeObjects(scope)),
          // The row is removed last: as long as it exists, its objects are known.
          phase('removeRow', ({ ctx, row }: ImageScope) => this.images.removeDeleted(ctx, row.id)),
        ],
        failure: 'retryDelete',
      },
    };
  }

  taskOf(image: Image): string {
    return imageTaskOf(image);
  }

  load(ctx: RequestContext, id: string): Promise<Image | undefined> {
    return this.images.find(ctx, asId<ImageId>(id));
  }

  /** Abandoned uploads have no task, and nothing to end. */
  async ended(
    tx: RequestContext,
    id: string,
    event: ImageEvent,
    reason: string | null,
  ): Promise<void> {
    if (event !== 'abort') return;
    const end = { status: 'failure', message: reason ?? '' } as const;
    await this.tasks.end(tx, asId<ImageId>(id), end, this.config.taskLifetimeHours);
  }

  async afterEnd(ctx: RequestContext, { dataId, stagedDataId, state }: Image): Promise<void> {
    if (state === 'importing') await this.wakeImports(ctx);
    await this.objects.removeOrphans(ctx, [dataId, stagedDataId]);
  }

  @SweepEvery(10_000, 'import-turns')
  async wakeImports(ctx: RequestContext): Promise<void> {
    await this.images.wakeImports(ctx, this.config.importsPerProject);
  }

  /**
   * An upload ends by itself unless its process dies, which two checks must find: nobody holds the
   * process's lock, and the row was not renewed in between.
   */
  async #awaitUpload({ ctx, row }: ImageScope): Promise<Wait> {
    const owner = row.uploadOwner ?? '';
    const silent = await ctx.manager.transaction((tx) => silentAmong(tx, [owner]));
    const wasSilent = this.#silent.get(row.id) === row.generation;
    this.#silent.delete(row.id);
    if (silent.length === 0) return { waitMs: LOOK_MS.alive };
    if (wasSilent) throw new DomainError('gone', ABANDONED);
    this.#silent.set(row.id, row.generation);
    return { waitMs: LOOK_MS.silent };
  }

  /** The current setting also applies to data staged earlier. */
  #awaitImport({ row }: ImageScope): Promise<Wait> {
    const left = row.stateSince.getTime() + this.config.stagedHours * 3_600_000 - Date.now();
    if (left <= 0) throw this.#expired;
    return Promise.resolve({ waitMs: Math.min(left, LOOK_MS.staged) });
  }

  get #expired(): DomainError {
    const { stagedHours } = this.config;
    return new DomainError(
      'gone',
      `The staged data was removed, as it was not imported within ${stagedHours} hours.`,
    );
  }

  /** A running upload has lost its image, and removes what it writes from now on. */
  async #removeObjects({ row: { dataId, stagedDataId } }: ImageScope): Promise<void> {
    try {
      for (const id of [dataId, stagedDataId]) if (id) await this.store.remove(id);
    } catch (error) {
      throw error instanceof DomainError ? error : new StoreUnavailableError(STORED_KIND, error);
    }
  }
}

@Feature({ providers: [ImageReconciler] })
export class ImageReconcilerModule {}
