/**
 * Queues events about servers' ports for compute, as rows in the transaction of the change. Public
 * source: neutron, `notifiers/nova.py`.
 */
import { randomUUID } from 'node:crypto';
import type { ServerEventName } from '@cumulet/clients/compute/compute-client';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import { serverEventStates } from './server-event.states.js';

const UUID = '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$';

/**
 * Does nothing for a port without a server.
 * @param tx which has locked the port
 * @param status whether it could be plugged in
 */
export async function notifyCompute(
  tx: RequestContext,
  portId: string,
  name: ServerEventName,
  status: 'completed' | 'failed' = 'completed',
): Promise<void> {
  const id = randomUUID();
  const { state, stateSince, stateDeadline } = initialState(serverEventStates);
  const rows = await preparedRows(
    tx.manager,
    `INSERT INTO server_events (id, server_id, port_id, name, status,
                                state, state_since, state_deadline)
     SELECT $1, device_id::uuid, id, $3, $4, $5, $6, $7 FROM ports
      WHERE id = $2 AND device_owner LIKE 'compute:%' AND device_id ~* '${UUID}'
     RETURNING id`,
    [id, portId, name, status, state, stateSince, stateDeadline],
  );
  if (rows.length > 0) await nudge(tx, { task: 'server_event', resource: 'server_event', id });
}
