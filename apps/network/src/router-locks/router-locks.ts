/**
 * Locks routers that a change elsewhere affects. Transactions lock routers first, in the order of
 * their IDs, and networks, subnets and ports after them.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { apply } from '../resource/applied.states.js';
import { routerStates } from './router.states.js';

/** @returns those that exist */
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

/** The reconciler applies routers as they are when it runs. */
export async function applyRouters(tx: RequestContext, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) await apply(tx, routerStates, id);
}

/** Locks the routers with a port on the network. @returns their IDs */
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

/** @returns the ID of the router that owns the port */
export async function routerOf(ctx: RequestContext, portId: string): Promise<string | undefined> {
  const [row] = await preparedRows<{ id: string }>(
    ctx.manager,
    'SELECT router_id AS id FROM router_ports WHERE port_id = $1',
    [portId],
  );
  return row?.id;
}

/** Routers through which floating IPs and port forwardings lead to a port. */
export async function routersTo(tx: RequestContext, portId: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    `SELECT router_id AS id FROM floating_ips WHERE fixed_port_id = $1 AND router_id IS NOT NULL
      UNION
     SELECT router_id FROM port_forwardings JOIN floating_ips ON floating_ips.id = floatingip_id
      WHERE internal_port_id = $1 AND router_id IS NOT NULL`,
    [portId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks routers, and then what depends on them. The routers are known for certain only once the
 * dependants are locked, and locking a router then would be the wrong order, so it starts over if
 * there is another.
 * @param routersOf reads the current routers
 * @param lock locks what depends on them; nothing is written before it returns
 * @returns the result of `lock`, with all routers locked before it
 */
export async function lockThrough<T>(
  tx: RequestContext,
  routersOf: () => Promise<readonly (string | null)[]>,
  lock: () => Promise<T>,
): Promise<T> {
  for (;;) {
    // Rolling back releases all locks that came after.
    await tx.manager.query('SAVEPOINT lock_through');
    const known = await routersOf();
    await lockRouters(tx, known);
    const locked = await lock();
    const all = await routersOf();
    const isComplete = all.every((id) => id === null || known.includes(id));
    if (!isComplete) await tx.manager.query('ROLLBACK TO SAVEPOINT lock_through');
    await tx.manager.query('RELEASE SAVEPOINT lock_through');
    if (isComplete) return locked;
  }
}
