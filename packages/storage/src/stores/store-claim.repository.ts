import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { StoreClaim } from './store-claim.entity.js';

export class StoreClaimRepository {
  async get(ctx: RequestContext): Promise<StoreClaim> {
    const claim = await selectRow(ctx.manager, StoreClaim, '');
    if (!claim) throw new Error('the table store_claim has lost its row');
    return claim;
  }

  async noteStore(ctx: RequestContext, store: string): Promise<void> {
    await ctx.manager.query('UPDATE store_claim SET store = $1 WHERE store IS DISTINCT FROM $1', [
      store,
    ]);
  }

  /** A new mark, which no store bears yet. */
  async renew(ctx: RequestContext): Promise<void> {
    await ctx.manager.query('UPDATE store_claim SET database_id = gen_random_uuid(), store = NULL');
  }
}
