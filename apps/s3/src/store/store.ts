/** The store of objects' bytes, claimed for this database before the service starts. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { ByteStore, DataId } from '@cumulet/storage/stores/byte-store';
import { createStore } from '@cumulet/storage/stores/create-store';
import { StoreClaim } from '@cumulet/storage/stores/store-claim.entity';
import { StoreClaimRepository } from '@cumulet/storage/stores/store-claim.repository';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { HELD, s3Settings, type S3Config } from '../config.js';

/** The rows of all tables that refer to data in the store. */
@Injectable()
export class StoredDataRepository {
  /** Whether any row refers to data in the store, loose data included. */
  async haveData(ctx: RequestContext): Promise<boolean> {
    const [row] = await preparedRows<{ found: boolean }>(
      ctx.manager,
      `SELECT EXISTS (SELECT FROM objects WHERE data_id IS NOT NULL)
           OR EXISTS (SELECT FROM parts WHERE data_id IS NOT NULL)
           OR EXISTS (SELECT FROM loose_data) AS found`,
    );
    return row?.found === true;
  }

  /**
   * Makes bytes loose that no row names. A row names them from before they are begun until they are
   * removed, so those that none names in one snapshot, after they were seen, will never have one.
   * @param ids that were seen in the store before this call
   * @returns those of them
   */
  async loosenUnknown(ctx: RequestContext, ids: readonly DataId[]): Promise<DataId[]> {
    const rows = await preparedRows<{ id: DataId }>(
      ctx.manager,
      `INSERT INTO loose_data (data_id, until)
       SELECT id, now() FROM unnest($1::uuid[]) AS id
        WHERE NOT EXISTS (SELECT FROM loose_data WHERE data_id = id)
          AND NOT EXISTS (SELECT FROM objects WHERE data_id = id)
          AND NOT EXISTS (SELECT FROM parts WHERE data_id = id)
       ON CONFLICT DO NOTHING RETURNING data_id AS id`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }
}

export const STORE = Symbol('object store');

/** Twice the 5 GiB that a PUT or a part may have, which leaves room for encryption. */
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
