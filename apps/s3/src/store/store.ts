/** The store of objects' bytes, claimed for this database before the service starts. */
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { ByteStore } from '@cumulet/storage/stores/byte-store';
import { createStore } from '@cumulet/storage/stores/create-store';
import { StoreClaim } from '@cumulet/storage/stores/store-claim.entity';
import { StoreClaimRepository } from '@cumulet/storage/stores/store-claim.repository';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import type { Logger } from 'pino';
import { HELD, type S3Config, s3Settings } from '../config.js';
import { StoredDataRepository } from './stored-data.repository.js';

/** The token of the store of objects' bytes, a `ByteStore`. */
export const STORE = Symbol('object store');

/** What a PUT or a part may have, 5 GiB, and as much again for encryption and what may come. */
const SIZE_LIMIT = 10 * 1024 ** 3;

function objectStore(config: S3Config): ByteStore {
  return createStore(s3Settings, config, { holds: HELD, sizeLimit: SIZE_LIMIT });
}

function objectStoreClaims(
  store: ByteStore,
  rows: StoredDataRepository,
  claims: StoreClaimRepository,
  logger: Logger,
): StoreClaims {
  return new StoreClaims(store, rows, claims, logger);
}

@Feature({
  providers: [
    StoreClaimRepository,
    StoredDataRepository,
    { provide: STORE, inject: [CONFIG], useFactory: objectStore },
    {
      provide: StoreClaims,
      inject: [STORE, StoredDataRepository, StoreClaimRepository, LOGGER],
      useFactory: objectStoreClaims,
    },
  ],
  entities: [StoreClaim],
})
export class StoreModule {}
