import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudge } from '@cumulet/common/jobs/nudge';
import { transition } from '@cumulet/common/states/transition';
import { portStates } from '../ports/port.states.js';

/** A network goes: its addresses go with its subnets, which the transaction has locked. */
export async function dropMetadataPort(tx: RequestContext, networkId: string): Promise<void> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    'DELETE FROM metadata_ports WHERE network_id = $1 RETURNING port_id AS id',
    [networkId],
  );
  for (const { id } of rows) {
    await preparedRows(tx.manager, 'DELETE FROM ip_allocations WHERE port_id = $1', [id]);
    await transition(tx, portStates, id, 'remove');
    await nudge(tx, { task: 'port', resource: 'port', id });
  }
}

/**
 * A port that is deleted is no network's metadata port any more, as with Neutron's OVN: the network has
 * none until its subnets change, or the service starts.
 * @returns the network whose it was
 */
export async function releaseMetadataPort(
  tx: RequestContext,
  portId: string,
): Promise<string | undefined> {
  const [row] = await preparedRows<{ id: string }>(
    tx.manager,
    'DELETE FROM metadata_ports WHERE port_id = $1 RETURNING network_id AS id',
    [portId],
  );
  return row?.id;
}

/** The network whose metadata port it is. */
export async function networkServedBy(
  ctx: RequestContext,
  portId: string,
): Promise<string | undefined> {
  const text = 'SELECT network_id AS id FROM metadata_ports WHERE port_id = $1';
  const [row] = await preparedRows<{ id: string }>(ctx.manager, text, [portId]);
  return row?.id;
}
