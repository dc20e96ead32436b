/**
 * Routers that a change elsewhere concerns. Whoever changes a router, and what goes through it,
 * locks routers first, in the order of their ids, and networks, subnets and ports after them.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { apply } from '../resource/applied.states.js';
import { routerStates } from './router.states.js';

/** @returns those of them that there are */
export async function lockRouters(
  tx: RequestContext,
  ids: readonly (string | null)[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    `SELECT id FROM routers WHERE id = ANY($1::uuid[]) AND state <> 'removing'
      ORDER BY id FOR UPDATE`,
    [ids.filter((id) => id !== null)],
  );
  return rows.map(({ id }) => id);
}

/** The data plane is told of them as they are when it looks. */
export async function applyRouters(tx: RequestContext, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) await apply(tx, routerStates, id);
}

/** Those that have a port on the network. @returns their ids, locked */
export async function lockRoutersOn(tx: RequestContext, networkId: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    `SELECT DISTINCT router_id AS id FROM router_ports JOIN ports ON ports.id = port_id
      WHERE network_id = $1`,
    [networkId],
  );
  return lockRouters(
    tx,
    rows.map(({ id }) => id),
  );
}

/** Those whose gateway, or a floating IP of which, has the QoS policy. @returns their ids */
export async function routersOfPolicy(ctx: RequestContext, policyId: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(
    ctx.manager,
    `SELECT id FROM routers WHERE qos_policy_id = $1
      UNION
     SELECT router_id FROM floating_ips WHERE qos_policy_id = $1 AND router_id IS NOT NULL
      ORDER BY id`,
    [policyId],
  );
  return rows.map(({ id }) => id);
}

/** @returns the id of the router that has this port */
export async function routerOf(ctx: RequestContext, portId: string): Promise<string | undefined> {
  const [row] = await preparedRows<{ id: string }>(
    ctx.manager,
    'SELECT router_id AS id FROM router_ports WHERE port_id = $1',
    [portId],
  );
  return row?.id;
}
