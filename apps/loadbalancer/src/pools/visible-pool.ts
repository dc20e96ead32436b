import { reachable } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { NO_ID } from '../resources/page-of-rows.js';
import { NotFoundError } from '../tree/tree.errors.js';
import type { Pool } from './pool.entity.js';
import { pools } from './pool.table.js';

/** A pool that a path or a body names. @throws NotFoundError if the caller sees none */
export async function visiblePool(ctx: RequestContext, id: string | undefined): Promise<Pool> {
  const pool = await pools.find(ctx, id !== undefined && isUuid(id) ? id : NO_ID, reachable(ctx));
  if (!pool) throw new NotFoundError('Pool', id ?? '');
  return pool;
}
