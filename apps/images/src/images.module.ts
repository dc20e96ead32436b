import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ImagesConfig } from './config.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { UnsupportedController } from './http/unsupported.controller.js';
import { DataReceiver } from './image-data/data-receiver.js';
import { DownloadService } from './image-data/download.service.js';
import { ImageDataController } from './image-data/image-data.controller.js';
import { OrphanedData } from './image-data/orphaned-data.js';
import { PendingDeleteRepository } from './image-data/pending-delete.repository.js';
import { PendingDeletes } from './image-data/pending-deletes.js';
import { RawUpload } from './image-data/raw-upload.js';
import { StagedDataRepository } from './image-data/staged-data.repository.js';
import { StagingController } from './image-data/staging.controller.js';
import { UploadOwner } from './image-data/upload-owner.js';
import { UploadRecords } from './image-data/upload-records.js';
import { UploadRepository } from './image-data/upload.repository.js';
import { UploadService } from './image-data/upload.service.js';
import { ImageActionsController } from './images/actions/image-actions.controller.js';
import { ImageActionsService } from './images/actions/image-actions.service.js';
import { ImageChangesRepository } from './images/image-changes.repository.js';
import { ImageQuotas } from './images/image-quotas.js';
import { ImageRepository } from './images/image.repository.js';
import { ImagesController } from './images/images.controller.js';
import { ImagesService } from './images/images.service.js';
import { PatchBody } from './images/patch/patch-body.js';
import { PatchService } from './images/patch/patch.service.js';
import { TagsController } from './images/tags/tags.controller.js';
import { importProviders } from './imports/import.providers.js';
import { ImportsController } from './imports/imports.controller.js';
import { IMAGE_STORE, IMAGES_CONFIG, IMAGES_LOGGER } from './injection-tokens.js';
import { MembersController } from './members/members.controller.js';
import { METADEF_CONTROLLERS, METADEF_PROVIDERS } from './metadefs/metadef.providers.js';
import { SchemasController } from './schemas/schemas.controller.js';
import type { ImageStore } from './store/image-store.js';
import { TasksController } from './tasks/tasks.controller.js';
import { StoresController } from './stores/stores.controller.js';
import { StoresService } from './stores/stores.service.js';
import { VersionsController } from './versions/versions.controller.js';

/** What lives as long as the app, and is made outside of Nest. */
export interface ImagesParts {
  readonly config: ImagesConfig;
  readonly logger: Logger;
  readonly store: ImageStore;
  readonly uploadOwner: UploadOwner;
  readonly orphans: OrphanedData;
  readonly deletes: PendingDeletes;
}

@Module({})
export class ImagesModule {
  static with({
    config,
    logger,
    store,
    uploadOwner,
    orphans,
    deletes,
  }: ImagesParts): DynamicModule {
    return {
      module: ImagesModule,
      controllers: [
        ...METADEF_CONTROLLERS,
        DiscoveryController,
        ImageActionsController,
        ImageDataController,
        ImagesController,
        ImportsController,
        MembersController,
        SchemasController,
        StagingController,
        StoresController,
        TagsController,
        TasksController,
        UnsupportedController,
        VersionsController,
      ],
      providers: [
        { provide: IMAGES_CONFIG, useValue: config },
        { provide: IMAGES_LOGGER, useValue: logger },
        { provide: IMAGE_STORE, useValue: store },
        { provide: UploadOwner, useValue: uploadOwner },
        { provide: OrphanedData, useValue: orphans },
        { provide: PendingDeletes, useValue: deletes },
        ...importProviders(config),
        ...METADEF_PROVIDERS,
        DataReceiver,
        DownloadService,
        ImageActionsService,
        ImageChangesRepository,
        ImageQuotas,
        ImageRepository,
        ImagesService,
        PatchBody,
        PatchService,
        PendingDeleteRepository,
        RawUpload,
        StagedDataRepository,
        StoresService,
        UploadRecords,
        UploadRepository,
        UploadService,
      ],
    };
  }
}
