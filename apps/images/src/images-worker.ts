import type { ServiceApp } from '@cumulet/common/http/service-app';
import { Worker } from '@cumulet/common/jobs/worker';
import type { Metrics } from '@cumulet/common/observe/metrics';
import { deadWorkerSweep, reconcilerSweep } from '@cumulet/common/reconcile/reconciler-sweep';
import { reconcilerTask } from '@cumulet/common/reconcile/task';
import type { Logger } from 'pino';
import type { ImagesConfig } from './config.js';
import { OrphanedData } from './image-data/orphaned-data.js';
import { orphanedDataSweep } from './image-data/orphaned-data.sweep.js';
import { PendingDeleteRepository } from './image-data/pending-delete.repository.js';
import { PendingDeletes } from './image-data/pending-deletes.js';
import { pendingDeletesSweep } from './image-data/pending-deletes.sweep.js';
import { stalledUploadsSweep } from './image-data/stalled-uploads.sweep.js';
import { UploadRepository } from './image-data/upload.repository.js';
import { ImageRepository } from './images/image.repository.js';
import { ConversionFiles } from './imports/conversion/conversion-files.js';
import { forgottenConversionsSweep } from './imports/conversion/forgotten-conversions.sweep.js';
import { ImageConverter } from './imports/conversion/image-converter.js';
import { IMAGE_TASK } from './imports/image.tasks.js';
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

/** Imports images, and sweeps. Any number of processes may; they share the work. */
export function createImagesWorker(parts: ImagesWorkerParts): Worker {
  const { config, app, store, logger, metrics } = parts;
  const { dataSource, nest } = app;
  const reconciler = nest.get(ImportReconciler);
  const orphans = nest.get(OrphanedData);
  const conversions = nest.get(ConversionFiles);
  const converts = config.importConvertTo !== 'none';
  return new Worker({
    dataSource,
    logger,
    concurrency: config.importConcurrency,
    tasks: { [IMAGE_TASK]: reconcilerTask(reconciler, { dataSource, logger, metrics }) },
    sweeps: [
      deadWorkerSweep(logger),
      reconcilerSweep(reconciler, logger),
      stalledUploadsSweep(nest.get(UploadRepository), orphans, logger),
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
}
