/** The store of image data, claimed for this database before the service starts. */
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { ByteStore } from '@cumulet/storage/stores/byte-store';
import { createStore } from '@cumulet/storage/stores/create-store';
import { StoreClaim } from '@cumulet/storage/stores/store-claim.entity';
import { StoreClaimRepository } from '@cumulet/storage/stores/store-claim.repository';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import type { Logger } from 'pino';
import { STORED_KIND, imagesSettings, type ImagesConfig } from '../config.js';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import { IMAGE_STORE } from './image-store.js';

function imageStore(config: ImagesConfig): ByteStore {
  return createStore(imagesSettings, config, {
    holds: STORED_KIND,
    sizeLimit: config.imageSizeLimit,
  });
}

function imageStoreClaims(
  store: ByteStore,
  images: ImageWorkRepository,
  claims: StoreClaimRepository,
  logger: Logger,
): StoreClaims {
  return new StoreClaims(store, images, claims, logger);
}

@Feature({
  providers: [
    StoreClaimRepository,
    { provide: IMAGE_STORE, inject: [CONFIG], useFactory: imageStore },
    {
      provide: StoreClaims,
      inject: [IMAGE_STORE, ImageWorkRepository, StoreClaimRepository, LOGGER],
      useFactory: imageStoreClaims,
    },
  ],
  entities: [StoreClaim],
})
export class StoreModule {}
