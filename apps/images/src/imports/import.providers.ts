/** All that makes imports, and the tasks that tell of them. */
import type { Provider } from '@nestjs/common';
import type { ImagesConfig } from '../config.js';
import { TaskRepository } from '../tasks/task.repository.js';
import { TasksService } from '../tasks/tasks.service.js';
import { ConversionFiles } from './conversion/conversion-files.js';
import { ImageConverter } from './conversion/image-converter.js';
import { ImportConversion } from './import-conversion.js';
import { ImportDownload } from './import-download.js';
import { ImportHold } from './import-hold.js';
import { ImportInspection } from './import-inspection.js';
import { ImportMethods } from './import-methods.js';
import { ImportObjects } from './import-objects.js';
import { ImportPhases } from './import-phases.js';
import { ImportRecords } from './import-records.js';
import { ImportReconciler } from './import.reconciler.js';
import { ImportRepository } from './import.repository.js';
import { ImportStorage } from './import-storage.js';
import { ImportTurnRepository } from './import-turn.repository.js';
import { ImportTurns } from './import-turns.js';
import { ImportsService } from './imports.service.js';
import { StagedData } from './staged-data.js';
import { isPublicAddress } from './web-download/public-address.js';
import { WebDownload } from './web-download/web-download.js';

const CONNECT_SECONDS = 10;
const SPEED_SECONDS = 60;

export function importProviders(config: ImagesConfig): Provider[] {
  return [
    { provide: ConversionFiles, useFactory: () => new ConversionFiles(config.importFolder) },
    { provide: ImageConverter, useFactory: () => imageConverter(config) },
    { provide: WebDownload, useFactory: () => webDownload(config) },
    ImportConversion,
    ImportDownload,
    ImportHold,
    ImportInspection,
    ImportMethods,
    ImportObjects,
    ImportPhases,
    ImportRecords,
    ImportReconciler,
    ImportRepository,
    ImportStorage,
    ImportTurnRepository,
    ImportTurns,
    ImportsService,
    StagedData,
    TaskRepository,
    TasksService,
  ];
}

function imageConverter({
  searchPath,
  convertSeconds: seconds,
  imageSizeLimit: limitBytes,
}: ImagesConfig): ImageConverter {
  return new ImageConverter({ searchPath, seconds, limitBytes });
}

function webDownload(config: ImagesConfig): WebDownload {
  return new WebDownload({
    ports: config.webDownloadPorts,
    mayConnect: config.webDownloadAllowPrivate ? () => true : isPublicAddress,
    connectSeconds: CONNECT_SECONDS,
    silenceSeconds: config.uploadStallSeconds,
    leastSpeed: { bytesPerSecond: config.webDownloadLeastSpeed, overSeconds: SPEED_SECONDS },
  });
}
