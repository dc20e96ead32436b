import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { Table } from '@cumulet/common/tables/table';
import { NotFoundError } from '../tree/tree.errors.js';
import { Pool } from './pool.entity.js';

export const pools = new Table(Pool, {
  missing: (key) => new NotFoundError('Pool', typeof key === 'string' ? key : ''),
});

/** The listeners that send to a pool, by default or by a policy: they change with it. */
export async function listenersOf({ manager }: RequestContext, poolId: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(
    manager,
    `SELECT id FROM listeners WHERE default_pool_id = $1
      UNION SELECT listener_id FROM l7_policies WHERE redirect_pool_id = $1`,
    [poolId],
  );
  return rows.map(({ id }) => id);
}
