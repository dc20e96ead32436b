/**
 * Binds a store and a database to each other: the store bears the id that the database has for
 * this, and the database knows which store that is.
 *
 * Always holds: a store without the mark is claimed only while the database has no data in any, as
 * it may be the place where the right one is not mounted. Its absent objects would look like damage.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { sessionLock } from '@cumulet/common/database/advisory-lock';
import {
  StoreUnavailableError,
  StoreUnmarkedError,
  StoreOfAnotherDatabaseError,
} from '../images/image.errors.js';
import { ImageRepository } from '../images/image.repository.js';
import type { ImageStore } from './image-store.js';
import { StoreClaimRepository } from './store-claim.repository.js';

const LOCK = 'cumulet:images:store-claim';

const claims = new StoreClaimRepository();

/**
 * Call it before anything else is asked of the store: a sweep removes what no row knows.
 * @returns false where the data of images was in the memory of an earlier process, and is lost
 * @throws StoreOfAnotherDatabaseError, StoreUnmarkedError or StoreUnusableError
 */
export async function claimStore(ctx: RequestContext, store: ImageStore): Promise<boolean> {
  const session = ctx.manager.dataSource.createQueryRunner();
  try {
    // Processes that start at the same moment: the second finds what the first has made.
    await sessionLock(session, LOCK);
    return await claim(ctx.withManager(session.manager), store);
  } finally {
    await session.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
    await session.release();
  }
}

/**
 * @throws StoreUnavailableError where the store does not bear this database's mark any more, as a
 *   folder that was mounted when the process started
 */
export async function requireClaimed(ctx: RequestContext, store: ImageStore): Promise<void> {
  const { databaseId } = await claims.get(ctx);
  const mark = await store.mark().catch((error: unknown) => {
    throw new StoreUnavailableError(error);
  });
  if (mark !== databaseId) {
    throw new StoreUnavailableError(new StoreOfAnotherDatabaseError(store.description));
  }
}

async function claim(ctx: RequestContext, store: ImageStore): Promise<boolean> {
  const isMarked = (await store.mark()) !== undefined;
  const isWhole = isMarked || (await mayTake(ctx, store));
  const { databaseId } = await claims.get(ctx);
  await store.claim(databaseId);
  await claims.noteStore(ctx, store.description);
  return isWhole;
}

/** Whether this store without a mark has lost nothing. @throws StoreUnmarkedError */
async function mayTake(ctx: RequestContext, store: ImageStore): Promise<boolean> {
  const { store: claimed } = await claims.get(ctx);
  const hasData = await new ImageRepository().haveData(ctx);
  if (store.isVolatile && claimed === store.description) return !hasData;
  if (hasData) throw new StoreUnmarkedError(store.description, claimed);
  // The store of before keeps a mark: it is not taken for this one again. Committed by itself, as
  // a mark that no database knows would close the new store for good.
  if (claimed !== null) await claims.renew(ctx);
  return true;
}
