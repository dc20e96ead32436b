/**
 * Binds a store and a database to each other: the store bears an id that the database has chosen,
 * and the database records which store that is.
 *
 * Always holds: a store without the mark is claimed only while the database has no data in any: it may
 * be the mount point of an unmounted store, whose objects would seem to be lost.
 */
import type { Logger } from 'pino';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { withSessionLock } from '@cumulet/common/database/advisory-lock';
import { BeforeStart } from '@cumulet/common/service/background';
import type { ByteStore } from './byte-store.js';
import type { StoreClaimRepository } from './store-claim.repository.js';
import {
  StoreOfAnotherDatabaseError,
  StoreUnavailableError,
  StoreUnmarkedError,
} from './store.errors.js';

const LOCK = 'cumulet:store-claim';

export interface StoredData {
  /** Whether any row refers to data in the store, or to remains of data. */
  haveData(ctx: RequestContext): Promise<boolean>;
}

export class StoreClaims {
  constructor(
    private readonly store: ByteStore,
    private readonly rows: StoredData,
    private readonly claims: StoreClaimRepository,
    private readonly logger: Logger,
  ) {}

  /** Runs before any other request to the store: a sweep removes objects without a row. */
  @BeforeStart()
  async start(ctx: RequestContext): Promise<void> {
    const { holds, description } = this.store;
    if (!(await this.claim(ctx)))
      this.logger.warn(
        `the data of ${holds}s was in the memory of an earlier process, and is lost`,
      );
    this.logger.info({ store: description }, `keeping the data of ${holds}s`);
  }

  /**
   * @returns false if data was in an earlier process's memory, and is lost
   * @throws StoreOfAnotherDatabaseError, StoreUnmarkedError or StoreUnusableError
   */
  claim(ctx: RequestContext): Promise<boolean> {
    // Processes may start simultaneously: the second finds what the first has made.
    return withSessionLock(ctx.manager.dataSource, LOCK, (manager) =>
      this.#claim(ctx.withManager(manager)),
    );
  }

  /**
   * @throws StoreUnavailableError if the store no longer bears this database's mark, such as a
   * folder that was mounted when the process started
   */
  async requireClaimed(ctx: RequestContext): Promise<void> {
    const { holds, description } = this.store;
    const { databaseId } = await this.claims.get(ctx);
    const mark = await this.store.mark().catch((error: unknown) => {
      throw new StoreUnavailableError(holds, error);
    });
    if (mark === databaseId) return;
    throw new StoreUnavailableError(holds, new StoreOfAnotherDatabaseError(holds, description));
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
    const hasData = await this.rows.haveData(ctx);
    if (store.isVolatile && claimed === store.description) return !hasData;
    if (hasData) throw new StoreUnmarkedError(store.holds, store.description, claimed);
    // The former store keeps its mark, and so is never mistaken for this one. Commits by itself: a mark
    // that no database has would make the new store unusable for good.
    if (claimed !== null) await this.claims.renew(ctx);
    return true;
  }
}
