/** All SQL of servers' NICs, and of their part in servers' rows. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { initialState } from '@cumulet/common/states/transition';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import type { ServerId } from '../servers/server.entity.js';
import { Nic, type NicId } from './nic.entity.js';
import { PortInUseError } from './nic.errors.js';
import { nicStates } from './nic.states.js';
import type { RequestedNic } from './nic-requests.service.js';

/** A server whose NICs are inserted, and the position of the first. */
interface Owner {
  readonly id: ServerId;
  readonly first?: number;
}

@Injectable()
export class NicRepository extends Table<Nic> {
  constructor() {
    super(Nic, {
      missing: () => new DomainError('not-found', 'The NIC could not be found.'),
      refusals: { server_nics_port_key: ({ portId }) => new PortInUseError(portId ?? '') },
    });
  }

  /** @throws PortInUseError for a port that another NIC has */
  insertRequested(
    tx: RequestContext,
    { id: serverId, first = 0 }: Owner,
    nics: readonly RequestedNic[],
  ): Promise<Nic[]> {
    const rows = nics.map(({ networkId, portId, address, groupIds, tag }, at) => ({
      ...initialState(nicStates),
      id: asId<NicId>(randomUUID()),
      serverId,
      networkId,
      portId,
      tag,
      position: first + at,
      isGiven: portId !== null,
      askedAddress: address,
      askedGroups: groupIds === null ? null : [...groupIds],
    }));
    return this.insertAll(tx, rows);
  }

  /** In the order in which the guest finds them. */
  ofServer(ctx: RequestContext, serverId: string): Promise<Nic[]> {
    return this.select(ctx, [equals('serverId', serverId)], 'ORDER BY position, id');
  }

  withPorts(ctx: RequestContext, portIds: readonly string[]): Promise<Nic[]> {
    return this.select(ctx, [oneOf('portId', portIds)]);
  }

  /** The first free position, in a transaction that has locked the server. */
  async freePosition(tx: RequestContext, serverId: string): Promise<number> {
    const taken = (await this.ofServer(tx, serverId)).map(({ position }) => position);
    let free = 0;
    while (taken.includes(free)) free += 1;
    return free;
  }

  /** Records a NIC's state, and shows it in its server. */
  async record(ctx: RequestContext, nic: Nic, known: Partial<Nic>): Promise<Nic> {
    return inTransaction(ctx, async (tx) => {
      const row = await this.update(tx, nic.id, known);
      await this.showOn(tx, nic.serverId);
      return row;
    });
  }

  /** As `record`, but a NIC that was released meanwhile is no error. */
  async recordIfThere(ctx: RequestContext, nic: Nic, known: Partial<Nic>): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const [there] = await this.select(tx, [equals('id', nic.id)], 'FOR UPDATE');
      if (there) await this.record(tx, there, known);
    });
  }

  /** Removes a NIC, also from what its server shows. One that is gone is no error. */
  async remove(ctx: RequestContext, nic: Nic): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await this.deleteAll(tx, [equals('id', nic.id)]);
      await this.showOn(tx, nic.serverId);
    });
  }

  /** Writes the NICs' known state to the server's row. */
  async showOn(tx: RequestContext, serverId: string): Promise<void> {
    await tx.manager.query(SHOW, [serverId]);
  }

  /** NICs with a port that were not looked at since then. */
  async unseenSince(ctx: RequestContext, time: Date, limit: number): Promise<Nic[]> {
    return this.select(
      ctx,
      [
        equals('state', 'attached'),
        (bind, column) => `${column('portId')} IS NOT NULL AND ${column('seenAt')} < ${bind(time)}`,
      ],
      `ORDER BY seen_at LIMIT ${limit}`,
    );
  }
}

/** Locks the server's row first: two of its NICs may change at once. */
const SHOW = `
  WITH server AS MATERIALIZED (SELECT id FROM servers WHERE id = $1 FOR UPDATE),
  nic AS (
    SELECT server_nics.* FROM server_nics, server
     WHERE server_id = server.id AND network IS NOT NULL AND server_nics.state <> 'releasing'),
  fixed AS (
    SELECT nic.position, nic.mac_address, nic.network->>'name' AS network, nic.floating_ips,
           ordinality AS place, fixed->>'address' AS address
      FROM nic, jsonb_array_elements(nic.addresses) WITH ORDINALITY AS each (fixed, ordinality)),
  shown AS (
    SELECT position, place, 0 AS kind, network, address, 'fixed' AS type, mac_address FROM fixed
    UNION ALL
    SELECT position, place, 1, network, floating->>'floatingAddress', 'floating', mac_address
      FROM fixed, jsonb_array_elements(floating_ips) AS floating
     WHERE floating->>'fixedAddress' = address)
  UPDATE servers
     SET addresses = coalesce((
           SELECT jsonb_agg(jsonb_build_object(
                    'network', network, 'address', address, 'type', type,
                    'version', family(address::inet), 'macAddress', mac_address)
                  ORDER BY position, place, kind, address)
             FROM shown), '[]'),
         security_groups = coalesce((
           SELECT array_agg(DISTINCT name ORDER BY name)
             FROM nic, unnest(group_names) AS name), '{}')
    FROM server
   WHERE servers.id = server.id`;
