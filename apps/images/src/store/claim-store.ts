import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import type { ImageStore } from './image-store.js';
import { StoreClaim } from './store-claim.entity.js';

/**
 * Binds the store to this database, before any sweep removes what no row of it knows.
 * @throws StoreOfAnotherDatabaseError
 */
export async function claimStore(ctx: RequestContext, store: ImageStore): Promise<void> {
  const claim = await selectRow(ctx.manager, StoreClaim, '');
  if (!claim) throw new Error('the table store_claim has lost its row');
  await store.claim(claim.databaseId);
}
