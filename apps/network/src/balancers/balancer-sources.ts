/**
 * The source addresses of health checks: one for each subnet with checked members, shared by all
 * balancers. Public source: ovn-octavia-provider, `_create_hm_port` in `helper.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { networks } from '../networks/networks.service.js';
import { removePort } from '../ports/apply-port.js';
import { CHECK_SOURCE_OWNER } from '../ports/device-owner.js';
import { ports } from '../ports/port.repository.js';
import { lockNetworks, makeServicePort } from '../ports/service-ports.js';
import type { Place } from './checked-subnets.js';

/** Locks the subnets, in a fixed order, before their sources are created or deleted. */
export function lockSources(tx: RequestContext, subnets: readonly Place[]): Promise<void> {
  return lockNetworks(
    tx,
    subnets.map(({ networkId }) => networkId),
  );
}

/** @param tx has locked the subnets @throws IpAddressGenerationFailureError if one is full */
export async function makeSources(tx: RequestContext, subnets: readonly Place[]): Promise<void> {
  for (const { id: subnetId, networkId } of subnets) {
    if (await sourceOf(tx, subnetId)) continue;
    const { projectId } = await networks.get(tx, networkId);
    const port = await makeServicePort(tx, {
      projectId,
      networkId,
      fixedIps: [{ subnet_id: subnetId }],
      deviceId: `ovn-lb-hm-${subnetId}`,
      deviceOwner: CHECK_SOURCE_OWNER,
    });
    await preparedRows(
      tx.manager,
      'INSERT INTO balancer_sources (subnet_id, port_id) VALUES ($1, $2)',
      [subnetId, port.id],
    );
  }
}

/** Deletes the sources that no balancer needs any longer. @param tx has locked the subnets */
export async function dropSources(tx: RequestContext, subnets: readonly Place[]): Promise<void> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    `DELETE FROM balancer_sources WHERE subnet_id = ANY($1::uuid[])
        AND NOT EXISTS (SELECT FROM balancers WHERE subnet_id = ANY(checked_subnet_ids))
      RETURNING port_id AS id`,
    [subnets.map(({ id }) => id)],
  );
  for (const { id } of rows) await removePort(tx, await ports.get(tx, id));
}

async function sourceOf(tx: RequestContext, subnetId: string): Promise<boolean> {
  const text = 'SELECT FROM balancer_sources WHERE subnet_id = $1';
  return (await preparedRows(tx.manager, text, [subnetId])).length > 0;
}

/** Looked up in our own table: clients can write any device owner. */
export async function isCheckSource(ctx: RequestContext, portId: string): Promise<boolean> {
  const text = 'SELECT FROM balancer_sources WHERE port_id = $1';
  return (await preparedRows(ctx.manager, text, [portId])).length > 0;
}
