import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ImagesConfig } from './config.js';
import { DataReceiver } from './image-data/data-receiver.js';
import { DownloadService } from './image-data/download.service.js';
import { ImageDataController } from './image-data/image-data.controller.js';
import { OrphanedData } from './image-data/orphaned-data.js';
import { RawUpload } from './image-data/raw-upload.js';
import { UploadOwner } from './image-data/upload-owner.js';
import { UploadRecords } from './image-data/upload-records.js';
import { UploadRepository } from './image-data/upload.repository.js';
import { UploadService } from './image-data/upload.service.js';
import { ImageQuotas } from './images/image-quotas.js';
import { ImageRepository } from './images/image.repository.js';
import { ImagesController } from './images/images.controller.js';
import { ImagesService } from './images/images.service.js';
import { IMAGE_STORE, IMAGES_CONFIG, IMAGES_LOGGER } from './injection-tokens.js';
import { SchemasController } from './schemas/schemas.controller.js';
import type { ImageStore } from './store/image-store.js';
import { VersionsController } from './versions/versions.controller.js';

/** What lives as long as the app, and is made outside of Nest. */
export interface ImagesParts {
  readonly config: ImagesConfig;
  readonly logger: Logger;
  readonly store: ImageStore;
  readonly uploadOwner: UploadOwner;
  readonly orphans: OrphanedData;
}

@Module({})
export class ImagesModule {
  static with({ config, logger, store, uploadOwner, orphans }: ImagesParts): DynamicModule {
    return {
      module: ImagesModule,
      controllers: [VersionsController, SchemasController, ImagesController, ImageDataController],
      providers: [
        { provide: IMAGES_CONFIG, useValue: config },
        { provide: IMAGES_LOGGER, useValue: logger },
        { provide: IMAGE_STORE, useValue: store },
        { provide: UploadOwner, useValue: uploadOwner },
        { provide: OrphanedData, useValue: orphans },
        DataReceiver,
        DownloadService,
        ImageQuotas,
        ImageRepository,
        ImagesService,
        RawUpload,
        UploadRecords,
        UploadRepository,
        UploadService,
      ],
    };
  }
}
