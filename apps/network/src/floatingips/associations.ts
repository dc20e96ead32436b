/**
 * Associations of floating IPs and port forwardings with ports and routers, as rows. Callers have
 * locked the router. Public source: neutron, `disassociate_floatingips` in `db/l3_db.py`, and
 * `services/portforwarding/pf_plugin.py`.
 */
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { equals } from '@cumulet/common/tables/condition';
import { floatingIps } from './floatingip.entity.js';
import { FipAssociatedError } from './floatingip.errors.js';
import { removeUnaddressed } from '../ports/apply-port.js';
import { lockSubnets } from '../ports/port-addresses.js';
import { allocations } from '../ports/port.repository.js';
import { releaseAddress } from '../subnets/free-addresses.js';

/** Whether the port holds the address of a floating IP. */
export function isFloatingPort(tx: RequestContext, portId: string): Promise<boolean> {
  return floatingIps.has(tx, [equals('floatingPortId', portId)]);
}

/**
 * Disassociates floating IPs and deletes port forwardings of a port.
 * @throws FipAssociatedError if a floating IP of another project is associated
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
 * Deletes port forwardings to addresses that the port no longer has.
 * @throws BadRequestError if a floating IP is associated with such an address
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
  // In the order in which all transactions lock several.
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of [...ids].sort()) await freeUnforwarded(tx, id);
}

/** A floating IP without port forwardings uses no router. */
export async function freeUnforwarded(tx: RequestContext, id: string): Promise<void> {
  await preparedRows(
    tx.manager,
    `UPDATE floating_ips SET router_id = NULL, associated_at = NULL
      WHERE id = $1 AND fixed_port_id IS NULL
        AND NOT EXISTS (SELECT FROM port_forwardings WHERE floatingip_id = floating_ips.id)`,
    [id],
  );
}

/** Called before the router, which is locked, is applied to the data plane. */
export async function markAssociated(tx: RequestContext, id: string): Promise<void> {
  const text = 'UPDATE floating_ips SET associated_at = clock_timestamp() WHERE id = $1';
  await preparedRows(tx.manager, text, [id]);
}

/**
 * Deletes unassociated floating IPs of a network that is being deleted or is no longer external.
 * Public source: neutron, `delete_disassociated_floatingips` in `db/l3_db.py`.
 */
export async function deleteUnused(tx: RequestContext, networkId: string): Promise<void> {
  await lockSubnets(tx, networkId);
  const rows = await preparedRows<{ portId: string }>(
    tx.manager,
    `DELETE FROM floating_ips WHERE floating_network_id = $1 AND fixed_port_id IS NULL
        AND NOT EXISTS (SELECT FROM port_forwardings WHERE floatingip_id = floating_ips.id)
     RETURNING floating_port_id AS "portId"`,
    [networkId],
  );
  for (const { portId } of rows) {
    for (const { subnetId, address } of await allocations.removeOf(tx, portId))
      await releaseAddress(tx, subnetId, address);
    await removeUnaddressed(tx, portId);
  }
}
