/**
 * Binds a store and a database to each other: the store bears an id that the database has chosen,
 * and the database records which store that is.
 *
 * Always holds: a store without the mark is claimed only while the database has no data in any: it
 * may be an unmounted store's mount point, whose missing objects would look like damage.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { withSessionLock } from '@cumulet/common/database/advisory-lock';
import { BeforeStart } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import {
  StoreUnavailableError,
  StoreUnmarkedError,
  StoreOfAnotherDatabaseError,
} from '../images/image.errors.js';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import { FileStore } from './file-store.js';
import { type ImageStore, IMAGE_STORE } from './image-store.js';
import { MemoryStore } from './memory-store.js';
import { s3Location } from './s3.settings.js';
import { S3Store } from './s3-store.js';
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

  /** Runs before any other request to the store: a sweep removes objects without a row. */
  @BeforeStart()
  async start(ctx: RequestContext): Promise<void> {
    if (!(await this.claim(ctx)))
      this.logger.warn('the data of images was in the memory of an earlier process, and is lost');
    this.logger.info({ store: this.store.description }, 'keeping the data of images');
  }

  /**
   * @returns false if images' data was in an earlier process's memory, and is lost
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
    // The former store keeps its mark and cannot be taken for this one again. Commits by itself: a
    // mark that no database knows would make the new store unusable for good.
    if (claimed !== null) await this.claims.renew(ctx);
    return true;
  }
}

/** @throws SettingError if the chosen store lacks a setting */
function createStore(config: ImagesConfig): ImageStore {
  switch (config.store) {
    case 'file':
      return new FileStore(config.storeFolder);
    case 'memory':
      return new MemoryStore();
    case 's3':
      return new S3Store(s3Location(config), config.imageSizeLimit);
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
