/** All SQL of ports alone, of their addresses and of their security groups. */
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { oneOf, rowOf, type Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { isPresent } from '../resource/resource.table.js';
import { IpAllocation, Port } from './port.entity.js';
import * as errors from './port.errors.js';

export type PortRowState = Pick<Port, 'id' | 'state' | 'generation' | 'deviceOwner'>;

/**
 * Ports that use the network's QoS policy: those without a policy of their own, except ports of the
 * network service itself.
 */
const BY_NETWORK = "qos_policy_id IS NULL AND device_owner NOT LIKE 'network:%'";

class Ports extends Table<Port> {
  /** Without the columns that other tables give. @param tail SQL after the condition */
  async stateOf(ctx: RequestContext, id: string, tail = ''): Promise<PortRowState | undefined> {
    const columns = 'id, state, generation, device_owner AS "deviceOwner"';
    const text = `SELECT ${columns} FROM ports WHERE id = $1 ${tail}`;
    return (await preparedRows<PortRowState>(ctx.manager, text, [id]))[0];
  }

  /** Locks a port, unless it is being removed. */
  lockPresent(tx: RequestContext, id: string): Promise<PortRowState | undefined> {
    return this.stateOf(tx, id, "AND state <> 'removing' FOR UPDATE");
  }

  /** Locks ports in the order in which all transactions lock several. @returns those that exist */
  lockAll(
    tx: RequestContext,
    ids: readonly string[],
    scope: readonly Condition[] = [],
  ): Promise<Port[]> {
    return this.select(tx, [oneOf('id', ids), ...scope], 'ORDER BY id FOR UPDATE');
  }

  /** Changes a port and increments its revision. @param port as it is, locked */
  async revise(tx: RequestContext, port: Port, change: Partial<Port> = {}): Promise<void> {
    await this.update(tx, port.id, { ...change, revisionNumber: port.revisionNumber + 1 });
  }

  /** IDs of ports with the QoS policy, or whose network has it. */
  ofPolicy(ctx: RequestContext, policyId: string): Promise<string[]> {
    return this.ids(
      ctx,
      `SELECT id FROM ports WHERE qos_policy_id = $1
        UNION ALL
       SELECT id FROM ports
        WHERE network_id IN (SELECT id FROM networks WHERE qos_policy_id = $1) AND ${BY_NETWORK}
        ORDER BY id`,
      policyId,
    );
  }

  /** IDs of ports that use the QoS policy of their network. */
  followingNetwork(ctx: RequestContext, networkId: string): Promise<string[]> {
    const text = `SELECT id FROM ports WHERE network_id = $1 AND ${BY_NETWORK} ORDER BY id`;
    return this.ids(ctx, text, networkId);
  }

  /** @returns one of the MACs that no port of the network has */
  async unusedMac(
    { manager }: RequestContext,
    networkId: string,
    candidates: readonly string[],
  ): Promise<string | undefined> {
    const [row] = await preparedRows<{ mac: string }>(
      manager,
      `SELECT mac FROM unnest($2::text[]) AS mac
        WHERE NOT EXISTS (SELECT FROM ports WHERE network_id = $1 AND mac_address = mac) LIMIT 1`,
      [networkId, candidates],
    );
    return row?.mac;
  }

  /** @param groupIds in their order; all exist and are locked */
  async setGroups(
    { manager }: RequestContext,
    portId: string,
    groupIds: readonly string[],
  ): Promise<void> {
    await preparedRows(manager, 'DELETE FROM port_security_groups WHERE port_id = $1', [portId]);
    await preparedRows(
      manager,
      `INSERT INTO port_security_groups (port_id, security_group_id, position)
       SELECT $1, id, position FROM unnest($2::uuid[]) WITH ORDINALITY AS one (id, position)`,
      [portId, groupIds],
    );
  }

  /** Removes the inactive binding to the host that the port is on now. */
  async removeBinding({ manager }: RequestContext, id: string, host: string): Promise<void> {
    const text = 'DELETE FROM port_bindings WHERE port_id = $1 AND host = $2';
    await preparedRows(manager, text, [id, host]);
  }

  private async ids({ manager }: RequestContext, text: string, of: string): Promise<string[]> {
    return (await preparedRows<{ id: string }>(manager, text, [of])).map(({ id }) => id);
  }
}

export const ports = new Ports(Port, {
  missing: (key) => new errors.PortNotFoundError(rowOf(key).id),
  touched: 'updatedAt',
  refusals: {
    ports_mac_key: ({ networkId, macAddress }) =>
      new errors.MacAddressInUseError(networkId ?? '', macAddress ?? ''),
  },
});

/** The ports that the caller owns, and all ports of the caller's networks. */
export function visiblePorts(ctx: RequestContext): Condition[] {
  if (actsAcrossProjects(ctx)) return [isPresent];
  return [
    isPresent,
    (bind, column) => {
      const project = bind(ctx.projectId);
      return `${column('projectId')} = ${project} OR ${column('networkProjectId')} = ${project}`;
    },
  ];
}

/** Their ranges of free addresses are the subnet's. */
class Allocations extends Table<IpAllocation> {
  /** @returns the removed addresses of the port */
  removeOf(
    { manager }: RequestContext,
    portId: string,
  ): Promise<Pick<IpAllocation, 'subnetId' | 'address'>[]> {
    return preparedRows(
      manager,
      `DELETE FROM ip_allocations WHERE port_id = $1
       RETURNING subnet_id AS "subnetId", host(address) AS address`,
      [portId],
    );
  }

  /** @returns the IDs of the ports that had addresses on the subnet */
  async removeOn({ manager }: RequestContext, subnetId: string): Promise<ReadonlySet<string>> {
    const text = 'DELETE FROM ip_allocations WHERE subnet_id = $1 RETURNING port_id AS id';
    const rows = await preparedRows<{ id: string }>(manager, text, [subnetId]);
    return new Set(rows.map(({ id }) => id));
  }
}

export const allocations = new Allocations(IpAllocation, {
  missing: () => new errors.IpAddressGenerationFailureError(''),
  refusals: {
    ip_allocations_pkey: ({ networkId, address }) =>
      new errors.IpAddressInUseError(networkId ?? '', address ?? ''),
  },
});
