import type { ServiceApp } from '@cumulet/common/http/service-app';
import { Worker } from '@cumulet/common/jobs/worker';
import { Workers } from '@cumulet/common/jobs/workers';
import type { Metrics } from '@cumulet/common/observe/metrics';
import { deadWorkerSweep, reconcilerSweep } from '@cumulet/common/reconcile/reconciler-sweep';
import { reconcilerTask } from '@cumulet/common/reconcile/task';
import type { Logger } from 'pino';
import type { ImagesConfig } from './config.js';
import { expiredStagingSweep } from './image-data/expired-staging.sweep.js';
import { OrphanedData } from './image-data/orphaned-data.js';
import { orphanedDataSweep } from './image-data/orphaned-data.sweep.js';
import { PendingDeleteRepository } from './image-data/pending-delete.repository.js';
import { PendingDeletes } from './image-data/pending-deletes.js';
import { pendingDeletesSweep } from './image-data/pending-deletes.sweep.js';
import { StagedDataRepository } from './image-data/staged-data.repository.js';
import { stalledUploadsSweep } from './image-data/stalled-uploads.sweep.js';
import { UploadRepository } from './image-data/upload.repository.js';
import { ImageRepository } from './images/image.repository.js';
import { ConversionFiles } from './imports/conversion/conversion-files.js';
import { forgottenConversionsSweep } from './imports/conversion/forgotten-conversions.sweep.js';
import { ImageConverter } from './imports/conversion/image-converter.js';
import { DOWNLOAD_TASK, IMAGE_TASK } from './imports/image.tasks.js';
import { ImportTurnRepository } from './imports/import-turn.repository.js';
import { importTurnsSweep } from './imports/import-turns.sweep.js';
import { ImportReconciler } from './imports/import.reconciler.js';
import { scrubSweeps } from './scrub/scrub.sweep.js';
import type { ImageStore } from './store/image-store.js';
import { TaskRepository } from './tasks/task.repository.js';
import { tasksSweep } from './tasks/tasks.sweep.js';

export interface ImagesWorkerParts {
  readonly config: ImagesConfig;
  readonly app: ServiceApp;
  readonly store: ImageStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Imports images, and sweeps. Any number of processes may; they share the work. Downloads have
 * slots of their own, so that slow servers hold up no other import.
 */
export function createImagesWorker(parts: ImagesWorkerParts): Workers {
  const { config, app, store, logger, metrics } = parts;
  const { dataSource, nest } = app;
  const reconciler = nest.get(ImportReconciler);
  const orphans = nest.get(OrphanedData);
  const conversions = nest.get(ConversionFiles);
  const converts = config.importConvertTo !== 'none';
  const work = reconcilerTask(reconciler, { dataSource, logger, metrics });
  const imports = new Worker({
    dataSource,
    logger,
    concurrency: config.importConcurrency,
    tasks: { [IMAGE_TASK]: work },
    sweeps: [
      deadWorkerSweep(logger),
      reconcilerSweep(reconciler, logger),
      importTurnsSweep(nest.get(ImportTurnRepository), config.importsPerProject),
      stalledUploadsSweep(nest.get(UploadRepository), orphans, logger),
      expiredStagingSweep(nest.get(StagedDataRepository), orphans, config.stagedHours, logger),
      orphanedDataSweep(store, orphans, logger),
      ...scrubSweeps(parts),
      pendingDeletesSweep(nest.get(PendingDeleteRepository), nest.get(PendingDeletes)),
      tasksSweep(nest.get(TaskRepository), config.taskLifetimeHours, logger),
      ...(converts ? [forgottenConversionsSweep(conversions, nest.get(ImageRepository))] : []),
    ],
    before: async () => {
      if (!converts) return;
      await nest.get(ImageConverter).check();
      await conversions.start();
    },
  });
  const downloads = new Worker({
    dataSource,
    logger,
    concurrency: config.webDownloadConcurrency,
    tasks: { [DOWNLOAD_TASK]: work },
    sweeps: [],
  });
  return new Workers([imports, downloads]);
}
