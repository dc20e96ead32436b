/** The images service. This is the only way to build one: main.ts, standalone and tests call it. */
import type { Logger } from 'pino';
import { keystoneChallenge } from '@cumulet/common/auth/challenge';
import { RevocationLoop } from '@cumulet/common/auth/revocation-loop';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createHttpApp, type HttpApp } from '@cumulet/common/http/create-http-app';
import { newRequestId } from '@cumulet/common/http/request-id';
import { ServiceApp } from '@cumulet/common/http/service-app';
import { createLogger } from '@cumulet/common/observe/logger';
import { Metrics } from '@cumulet/common/observe/metrics';
import type { ImagesConfig } from './config.js';
import { createImagesDataSource } from './database/images-data-source.js';
import { imagesErrorEnvelope } from './error-envelope.js';
import { OrphanedData } from './image-data/orphaned-data.js';
import { PendingDeleteRepository } from './image-data/pending-delete.repository.js';
import { PendingDeletes } from './image-data/pending-deletes.js';
import { UploadOwner } from './image-data/upload-owner.js';
import { rewriteImagesUrl } from './http/rewrite-url.js';
import { ImageRepository } from './images/image.repository.js';
import { ImagesModule } from './images.module.js';
import { createImagesWorker } from './images-worker.js';
import { claimStore } from './store/claim-store.js';
import { createStore } from './store/create-store.js';
import type { ImageStore } from './store/image-store.js';
import { identityAuthority, type ClosableAuthority } from './token-authority.js';

export interface ImagesOverrides {
  readonly logger?: Logger;
  /** In place of identity at its address. */
  readonly authority?: ClosableAuthority;
  /** In place of the store that the settings name. */
  readonly store?: ImageStore;
  /** False where another server hands the requests over. */
  readonly listen?: boolean;
}

export function createImagesApp(config: ImagesConfig, overrides: ImagesOverrides = {}): ServiceApp {
  const logger = overrides.logger ?? createLogger('images', config.logLevel);
  const store = overrides.store ?? createStore(config);
  const dataSource = createImagesDataSource(config.databaseUrl, config.databasePoolSize);
  const tokens = overrides.authority ?? identityAuthority(config);
  const verifier = new TokenVerifier(tokens);
  const revocations = new RevocationLoop(verifier, logger, config.revocationRefresh);
  const uploadOwner = new UploadOwner(dataSource, logger);
  const orphans = new OrphanedData(new ImageRepository(), store, logger);
  const deletes = new PendingDeletes(new PendingDeleteRepository(), store, logger);
  const metrics = new Metrics('images');

  const app: ServiceApp = new ServiceApp({
    name: 'images',
    role: config.role,
    dataSource,
    prepare: async () => {
      const ctx = RequestContext.system(newRequestId(), dataSource.manager);
      if (!(await claimStore(ctx, store))) {
        logger.warn('the data of images was in the memory of an earlier process, and is lost');
      }
      logger.info({ store: store.description }, 'keeping the data of images');
      await uploadOwner.start();
      revocations.start();
    },
    http: (): Promise<HttpApp> =>
      createHttpApp({
        service: 'images',
        title: 'Cumulet images (Glance v2)',
        serviceType: 'image',
        module: ImagesModule.with({ config, logger, store, uploadOwner, orphans, deletes }),
        envelope: imagesErrorEnvelope,
        strictPaths: true,
        rewriteUrl: rewriteImagesUrl,
        challenge: () => keystoneChallenge(config),
        verifier,
        dataSource,
        metrics,
        logger,
        publicUrl: config.publicUrl,
      }),
    listen: overrides.listen === false ? undefined : { host: config.listenHost, port: config.port },
    worker: () => createImagesWorker({ config, app, store, logger, metrics }),
    stopAlso: async () => {
      await revocations.stop();
      await uploadOwner.stop();
      await tokens.close?.();
    },
  });
  return app;
}
