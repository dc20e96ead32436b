import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';

/** Whether balancers check members from the port's address. What clients write of it says nothing. */
export async function isCheckSource(ctx: RequestContext, portId: string): Promise<boolean> {
  const text = 'SELECT FROM balancer_sources WHERE port_id = $1';
  return (await preparedRows(ctx.manager, text, [portId])).length > 0;
}
