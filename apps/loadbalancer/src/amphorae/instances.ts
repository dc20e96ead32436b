/** Which instance runs a load balancer, as its reconciler keeps it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { LoadBalancer } from '../load-balancers/load-balancer.entity.js';

/** Whether what runs on the load balancer's host is to go on, rather than to be made anew. */
export async function hasInstance(
  { manager }: RequestContext,
  { id, host }: Pick<LoadBalancer, 'id' | 'host'>,
): Promise<boolean> {
  const rows = await preparedRows(
    manager,
    'SELECT FROM instances WHERE load_balancer_id = $1 AND host = $2',
    [id, host],
  );
  return rows.length > 0;
}

/** It has been told what to do: the one that was there, if it is on the same host, or a new one. */
export async function recordInstance({ manager }: RequestContext, id: string): Promise<void> {
  await preparedRows(
    manager,
    `INSERT INTO instances AS former (id, load_balancer_id, host)
     SELECT gen_random_uuid(), id, host FROM load_balancers WHERE id = $1 AND host IS NOT NULL
     ON CONFLICT (load_balancer_id) DO UPDATE SET updated_at = excluded.updated_at,
       host = excluded.host,
       id = CASE WHEN former.host = excluded.host THEN former.id ELSE excluded.id END,
       created_at = CASE WHEN former.host = excluded.host
         THEN former.created_at ELSE excluded.created_at END`,
    [id],
  );
}

/** Another one is to take its place. */
export async function forgetInstance({ manager }: RequestContext, id: string): Promise<void> {
  await preparedRows(manager, 'DELETE FROM instances WHERE load_balancer_id = $1', [id]);
}
