/**
 * The metadata port of a network: each network with an IPv4 subnet with DHCP has one, with an
 * address on each such subnet. Public source: neutron, `update_metadata_port` in
 * `plugins/ml2/drivers/ovn/mech_driver/ovsdb/ovn_client.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '@cumulet/common/database/transaction';
import { BeforeWork } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { equals } from '@cumulet/common/tables/condition';
import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { networks, reapply } from '../networks/networks.service.js';
import { removePort, removeUnaddressed } from '../ports/apply-port.js';
import { METADATA_OWNER } from '../ports/device-owner.js';
import { freeAddresses, lockSubnets, allocateAddresses } from '../ports/port-addresses.js';
import { Port } from '../ports/port.entity.js';
import { allocations, ports } from '../ports/port.repository.js';
import { makeServicePort } from '../ports/service-ports.js';
import type { Subnet } from '../subnets/subnet.entity.js';
import type { MetadataPortSpec, NetworkSpec } from '../data-plane/data-plane.js';
import { networkUsers } from '../networks/network-users.js';
import { portUsers } from '../ports/port-users.js';
import { Network } from '../networks/network.entity.js';

/** A network's metadata port. Clients can write any device owner, so it has a table of its own. */
@Entity('metadata_ports')
@Unique('metadata_ports_port_key', ['portId'])
class MetadataPort {
  @PrimaryColumn('uuid', { name: 'network_id', primaryKeyConstraintName: 'metadata_ports_pkey' })
  @ForeignKey(() => Network, { name: 'metadata_ports_network_fkey', onDelete: 'CASCADE' })
  networkId: string;

  @Column('uuid', { name: 'port_id' })
  @ForeignKey(() => Port, { name: 'metadata_ports_port_fkey', onDelete: 'CASCADE' })
  portId: string;
}

/** Called when the network's subnets or their DHCP have changed. @param tx has locked it */
async function followSubnets(tx: RequestContext, networkId: string): Promise<void> {
  const all = await lockSubnets(tx, networkId);
  const served = all.filter(({ enableDhcp, ipVersion }) => enableDhcp && ipVersion === 4);
  const port = await metadataPortOf(tx, networkId);
  if (served.length > 0) await address(tx, port ?? (await make(tx, networkId)), served, all);
  else if (port) await remove(tx, port);
}

async function metadataPortOf(ctx: RequestContext, networkId: string): Promise<Port | undefined> {
  const text = 'SELECT port_id AS id FROM metadata_ports WHERE network_id = $1';
  const [row] = await preparedRows<{ id: string }>(ctx.manager, text, [networkId]);
  return row && ports.get(ctx, row.id);
}

/**
 * The part of the network's spec. Hosts compare it as text, so it is built as json, which keeps the
 * order of keys, unlike jsonb.
 */
async function metadataSpecOf(
  ctx: RequestContext,
  networkId: string,
): Promise<Pick<NetworkSpec, 'metadataPort'>> {
  const [metadataPort = null] = await preparedRows<MetadataPortSpec>(
    ctx.manager,
    `SELECT ports.id AS "portId", mac_address AS "macAddress",
            (SELECT COALESCE(json_agg(json_build_object(
                      'subnetId', subnet_id, 'address', host(address), 'cidr', cidr::text)
                      ORDER BY host(address) COLLATE "C", subnet_id), '[]')
               FROM ip_allocations JOIN subnets ON subnets.id = subnet_id
              WHERE port_id = ports.id) AS addresses
       FROM metadata_ports JOIN ports ON ports.id = port_id
      WHERE metadata_ports.network_id = $1`,
    [networkId],
  );
  return { metadataPort };
}

/** Owned by the network's project and visible to it, as in Neutron. */
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
  await allocateAddresses(tx, port, wanted, port.fixedIps.length);
  await ports.revise(tx, port);
}

/** A subnet without a free address goes without metadata; creating it does not fail. */
async function withFreeAddresses(
  tx: RequestContext,
  missing: readonly Subnet[],
): Promise<Subnet[]> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    'SELECT DISTINCT subnet_id AS id FROM address_ranges WHERE subnet_id = ANY($1::uuid[])',
    [missing.map(({ id }) => id)],
  );
  return missing.filter(({ id }) => rows.some((row) => row.id === id));
}

async function remove(tx: RequestContext, port: Port): Promise<void> {
  await preparedRows(tx.manager, 'DELETE FROM metadata_ports WHERE port_id = $1', [port.id]);
  await removePort(tx, port);
}

/** Called when a network is deleted: its subnets, which the transaction has locked, go with it. */
async function dropMetadataPort(tx: RequestContext, networkId: string): Promise<void> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    'DELETE FROM metadata_ports WHERE network_id = $1 RETURNING port_id AS id',
    [networkId],
  );
  for (const { id } of rows) {
    await allocations.removeOf(tx, id);
    await removeUnaddressed(tx, id);
  }
}

/**
 * Called when the port is deleted. As with Neutron's OVN driver, the network then has no metadata
 * until its subnets change or the service restarts.
 */
async function releaseMetadataPort(tx: RequestContext, portId: string): Promise<void> {
  const [row] = await preparedRows<{ id: string }>(
    tx.manager,
    'DELETE FROM metadata_ports WHERE port_id = $1 RETURNING network_id AS id',
    [portId],
  );
  if (row) await reapply(tx, row.id);
}

/** @returns the ID of the network that the port serves */
async function networkServedBy(ctx: RequestContext, portId: string): Promise<string | undefined> {
  const text = 'SELECT network_id AS id FROM metadata_ports WHERE port_id = $1';
  const [row] = await preparedRows<{ id: string }>(ctx.manager, text, [portId]);
  return row?.id;
}

@Injectable()
export class MetadataPorts {
  /** Creates metadata ports of networks from versions that had none. */
  @BeforeWork()
  async complete(ctx: RequestContext): Promise<void> {
    const rows = await preparedRows<{ id: string }>(
      ctx.manager,
      `SELECT DISTINCT network_id AS id FROM subnets
        WHERE enable_dhcp AND ip_version = 4
          AND NOT EXISTS (SELECT FROM metadata_ports
                           WHERE metadata_ports.network_id = subnets.network_id)`,
    );
    for (const { id } of rows) await inTransaction(ctx, (tx) => this.completeOne(tx, id));
  }

  private async completeOne(tx: RequestContext, id: string): Promise<void> {
    // It may have been deleted meanwhile, with its subnets.
    const [network] = await networks.select(tx, [equals('id', id)], 'FOR UPDATE');
    if (!network || network.state === 'removing') return;
    await followSubnets(tx, id);
    await reapply(tx, id);
  }
}

networkUsers.push({
  partsOf: metadataSpecOf,
  subnetsChanged: followSubnets,
  removed: dropMetadataPort,
});
portUsers.push({ servedNetwork: networkServedBy, release: releaseMetadataPort });

@Feature({ providers: [MetadataPorts], entities: [MetadataPort] })
export class MetadataPortsModule {}
