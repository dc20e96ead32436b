/**
 * Binds a store and a database to each other: the store bears the id that the database has for
 * this, and the database knows which store that is.
 *
 * Always holds: a store without the mark is claimed only while the database has no data in any, as
 * it may be the place where the right one is not mounted. Its absent objects would look like damage.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { sessionLock } from '@cumulet/common/database/advisory-lock';
import { BeforeStart } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import {
  StoreUnavailableError,
  StoreUnmarkedError,
  StoreOfAnotherDatabaseError,
} from '../images/image.errors.js';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import { createStore } from './create-store.js';
import { type ImageStore, IMAGE_STORE } from './image-store.js';
import { StoreClaim } from './store-claim.entity.js';
import { StoreClaimRepository } from './store-claim.repository.js';

const LOCK = 'cumulet:images:store-claim';

@Injectable()
export class StoreClaims {
  constructor(
    @Inject(IMAGE_STORE) private readonly store: ImageStore,
    private readonly images: ImageWorkRepository,
    private readonly claims: StoreClaimRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Comes before anything else that is asked of the store: a sweep removes what no row knows. */
  @BeforeStart()
  async start(ctx: RequestContext): Promise<void> {
    if (!(await this.claim(ctx)))
      this.logger.warn('the data of images was in the memory of an earlier process, and is lost');
    this.logger.info({ store: this.store.description }, 'keeping the data of images');
  }

  /**
   * @returns false where the data of images was in the memory of an earlier process, and is lost
   * @throws StoreOfAnotherDatabaseError, StoreUnmarkedError or StoreUnusableError
   */
  async claim(ctx: RequestContext): Promise<boolean> {
    const session = ctx.manager.dataSource.createQueryRunner();
    try {
      // Processes that start at the same moment: the second finds what the first has made.
      await sessionLock(session, LOCK);
      return await this.#claim(ctx.withManager(session.manager));
    } finally {
      await session.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
      await session.release();
    }
  }

  /**
   * @throws StoreUnavailableError where the store does not bear this database's mark any more, as a
   *   folder that was mounted when the process started
   */
  async requireClaimed(ctx: RequestContext): Promise<void> {
    const { databaseId } = await this.claims.get(ctx);
    const mark = await this.store.mark().catch((error: unknown) => {
      throw new StoreUnavailableError(error);
    });
    if (mark !== databaseId) {
      throw new StoreUnavailableError(new StoreOfAnotherDatabaseError(this.store.description));
    }
  }

  async #claim(ctx: RequestContext): Promise<boolean> {
    const isMarked = (await this.store.mark()) !== undefined;
    const isWhole = isMarked || (await this.#mayTake(ctx));
    const { databaseId } = await this.claims.get(ctx);
    await this.store.claim(databaseId);
    await this.claims.noteStore(ctx, this.store.description);
    return isWhole;
  }

  /** Whether this store without a mark has lost nothing. @throws StoreUnmarkedError */
  async #mayTake(ctx: RequestContext): Promise<boolean> {
    const { store } = this;
    const { store: claimed } = await this.claims.get(ctx);
    const hasData = await this.images.haveData(ctx);
    if (store.isVolatile && claimed === store.description) return !hasData;
    if (hasData) throw new StoreUnmarkedError(store.description, claimed);
    // The store of before keeps a mark: it is not taken for this one again. Committed by itself, as
    // a mark that no database knows would close the new store for good.
    if (claimed !== null) await this.claims.renew(ctx);
    return true;
  }
}

@Feature({
  providers: [
    StoreClaims,
    StoreClaimRepository,
    { provide: IMAGE_STORE, inject: [CONFIG], useFactory: createStore },
  ],
  entities: [StoreClaim],
})
export class StoreModule {}
