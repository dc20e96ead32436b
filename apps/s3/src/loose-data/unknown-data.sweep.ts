/**
 * Finds bytes in the store that no row knows, and has them removed. There are none, unless a power
 * cut brought removed files back, or the database is from a backup.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';
import { inBatches } from '@cumulet/storage/stores/in-batches';
import type { ByteStore } from '@cumulet/storage/stores/byte-store';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { StoredDataRepository } from '../store/stored-data.repository.js';
import { STORE } from '../store/store.js';

const BATCH = 500;

/** It lists all that there is, which of a large store takes minutes. */
const EVERY_MS = 6 * 3_600_000;

@Injectable()
export class UnknownDataSweep {
  constructor(
    @Inject(STORE) private readonly store: ByteStore,
    private readonly claims: StoreClaims,
    private readonly rows: StoredDataRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @SweepEvery(EVERY_MS, 'unknown-data')
  async run(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    await this.claims.requireClaimed(ctx);
    let found = 0;
    for await (const ids of inBatches(this.store.list(), BATCH)) {
      if (stopping.aborted) return;
      found += (await this.rows.loosenUnknown(ctx, ids)).length;
    }
    if (found > 0) this.logger.warn({ found }, 'the store had bytes that no row knew');
  }
}
