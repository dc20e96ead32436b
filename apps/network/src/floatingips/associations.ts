/**
 * What leads to a port, or through a router, as rows. Whoever changes them has locked the router.
 * Public source: neutron, `disassociate_floatingips` in `db/l3_db.py`, and
 * `services/portforwarding/pf_plugin.py`.
 */
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { FipAssociatedError } from './floatingip.errors.js';

/** The routers through which floating IPs and port forwardings lead to a port. */
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

/** Whether it is a floating IP's own port. */
export async function isFloatingPort(tx: RequestContext, portId: string): Promise<boolean> {
  const text = 'SELECT FROM floating_ips WHERE floating_port_id = $1';
  return (await preparedRows(tx.manager, text, [portId])).length > 0;
}

/**
 * Nothing leads to the port any more.
 * @throws FipAssociatedError if somebody else's floating IP does
 */
export async function releasePort(tx: RequestContext, portId: string): Promise<void> {
  const rows = await preparedRows<{ id: string; project: string }>(
    tx.manager,
    `SELECT id, project_id AS project FROM floating_ips WHERE fixed_port_id = $1
      ORDER BY id FOR NO KEY UPDATE`,
    [portId],
  );
  if (rows.some(({ project }) => !mayActOn(tx, project))) throw new FipAssociatedError(portId);
  await preparedRows(
    tx.manager,
    `UPDATE floating_ips SET fixed_port_id = NULL, fixed_ip_address = NULL, router_id = NULL,
            associated_at = NULL, revision_number = revision_number + 1,
            updated_at = clock_timestamp()
      WHERE fixed_port_id = $1`,
    [portId],
  );
  await dropForwardings(tx, portId, []);
}

/**
 * The port has no longer any address but these.
 * @throws BadRequestError if a floating IP leads to another
 */
export async function releaseAddresses(
  tx: RequestContext,
  portId: string,
  kept: readonly string[],
): Promise<void> {
  const led = await preparedRows(
    tx.manager,
    `SELECT FROM floating_ips
      WHERE fixed_port_id = $1 AND NOT host(fixed_ip_address) = ANY($2) LIMIT 1`,
    [portId, kept],
  );
  if (led.length > 0) {
    throw new BadRequestError(
      'port',
      `Cannot update the fixed_ips of the port ${portId}, because its original fixed_ip has been associated to a floating ip`,
    );
  }
  await dropForwardings(tx, portId, kept);
}

async function dropForwardings(
  tx: RequestContext,
  portId: string,
  kept: readonly string[],
): Promise<void> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    `DELETE FROM port_forwardings
      WHERE internal_port_id = $1 AND NOT host(internal_ip_address) = ANY($2)
     RETURNING floatingip_id AS id`,
    [portId, kept],
  );
  // In the order in which all take several.
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of [...ids].sort()) await freeUnforwarded(tx, id);
}

/** A floating IP without port forwardings goes through no router. */
export async function freeUnforwarded(tx: RequestContext, id: string): Promise<void> {
  await preparedRows(
    tx.manager,
    `UPDATE floating_ips SET router_id = NULL, associated_at = NULL
      WHERE id = $1 AND fixed_port_id IS NULL
        AND NOT EXISTS (SELECT FROM port_forwardings WHERE floatingip_id = floating_ips.id)`,
    [id],
  );
}

/** From now on it leads somewhere. The router, which is locked, is told of it later than this. */
export async function stamp(tx: RequestContext, id: string): Promise<void> {
  const text = 'UPDATE floating_ips SET associated_at = clock_timestamp() WHERE id = $1';
  await preparedRows(tx.manager, text, [id]);
}

/** External networks of the floating IPs that go through the router. */
export async function floatingNetworks(tx: RequestContext, routerId: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    'SELECT DISTINCT floating_network_id AS id FROM floating_ips WHERE router_id = $1',
    [routerId],
  );
  return rows.map(({ id }) => id);
}

/** Whether something leads through the router to an address of the subnet. */
export async function isLedTo(
  tx: RequestContext,
  routerId: string,
  subnetId: string,
): Promise<boolean> {
  const rows = await preparedRows(
    tx.manager,
    `SELECT FROM (
       SELECT fixed_port_id AS port_id, fixed_ip_address AS address
         FROM floating_ips WHERE router_id = $1
        UNION ALL
       SELECT internal_port_id, internal_ip_address
         FROM port_forwardings JOIN floating_ips ON floating_ips.id = floatingip_id
        WHERE router_id = $1) AS led
       JOIN ip_allocations USING (port_id, address)
      WHERE subnet_id = $2 LIMIT 1`,
    [routerId, subnetId],
  );
  return rows.length > 0;
}
