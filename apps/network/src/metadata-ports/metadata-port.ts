/**
 * The port by which a network has metadata: one for each network that has a subnet with DHCP by
 * IPv4, with an address of each of these. Public source: neutron, `update_metadata_port` in
 * `plugins/ml2/drivers/ovn/mech_driver/ovsdb/ovn_client.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { networks } from '../networks/networks.service.js';
import { removePort } from '../ports/apply-port.js';
import { METADATA_OWNER } from '../ports/device-owner.js';
import { freeAddresses, lockSubnets, takeAddresses } from '../ports/port-addresses.js';
import type { Port } from '../ports/port.entity.js';
import { ports } from '../ports/ports.service.js';
import { makeServicePort } from '../ports/service-ports.js';
import type { Subnet } from '../subnets/subnet.entity.js';

/** The subnets of a network have changed, or whether they have DHCP. @param tx has locked it */
export async function followSubnets(tx: RequestContext, networkId: string): Promise<void> {
  const all = await lockSubnets(tx, networkId);
  const served = all.filter(({ enableDhcp, ipVersion }) => enableDhcp && ipVersion === 4);
  const port = await metadataPortOf(tx, networkId);
  if (served.length > 0) await address(tx, port ?? (await make(tx, networkId)), served, all);
  else if (port) await remove(tx, port);
}

export async function metadataPortOf(
  ctx: RequestContext,
  networkId: string,
): Promise<Port | undefined> {
  const text = 'SELECT port_id AS id FROM metadata_ports WHERE network_id = $1';
  const [row] = await preparedRows<{ id: string }>(ctx.manager, text, [networkId]);
  return row && ports.get(ctx, row.id);
}

/** It is the network's project's, as in Neutron: who has the network sees it. */
async function make(tx: RequestContext, networkId: string): Promise<Port> {
  const { projectId } = await networks.get(tx, networkId);
  const port = await makeServicePort(tx, {
    projectId,
    networkId,
    fixedIps: [],
    deviceId: `ovnmeta-${networkId}`,
    deviceOwner: METADATA_OWNER,
  });
  await preparedRows(
    tx.manager,
    'INSERT INTO metadata_ports (network_id, port_id) VALUES ($1, $2)',
    [networkId, port.id],
  );
  return port;
}

/** @param all the subnets of the network, locked */
async function address(
  tx: RequestContext,
  port: Port,
  served: readonly Subnet[],
  all: readonly Subnet[],
): Promise<void> {
  const gone = port.fixedIps.filter((one) => !served.some(({ id }) => id === one.subnet_id));
  const missing = served.filter(({ id }) => !port.fixedIps.some((one) => one.subnet_id === id));
  const open = await withFreeAddresses(tx, missing);
  if (gone.length + open.length === 0) return;
  await freeAddresses(tx, port, gone, all);
  const wanted = open.map((subnet) => ({ subnets: [subnet], address: undefined }));
  await takeAddresses(tx, port, wanted, port.fixedIps.length);
  await ports.update(tx, port.id, { revisionNumber: port.revisionNumber + 1 });
}

/** A subnet whose addresses are all taken goes without metadata, rather than not at all. */
async function withFreeAddresses(
  tx: RequestContext,
  subnets: readonly Subnet[],
): Promise<Subnet[]> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    'SELECT DISTINCT subnet_id AS id FROM address_ranges WHERE subnet_id = ANY($1::uuid[])',
    [subnets.map(({ id }) => id)],
  );
  return subnets.filter(({ id }) => rows.some((row) => row.id === id));
}

async function remove(tx: RequestContext, port: Port): Promise<void> {
  await preparedRows(tx.manager, 'DELETE FROM metadata_ports WHERE port_id = $1', [port.id]);
  await removePort(tx, port);
}
