/** What becomes of the floating IPs of a network that goes, or is external no longer. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudge } from '@cumulet/common/jobs/nudge';
import { transition } from '@cumulet/common/states/transition';
import { portStates } from '../ports/port.states.js';
import { giveBack } from '../addresses/free-addresses.js';

/**
 * Deletes those that lead nowhere. Public source: neutron, `delete_disassociated_floatingips` in
 * `db/l3_db.py`.
 */
export async function deleteUnused(tx: RequestContext, networkId: string): Promise<void> {
  const subnets =
    'SELECT FROM subnets WHERE network_id = $1 ORDER BY created_at, id FOR NO KEY UPDATE';
  await preparedRows(tx.manager, subnets, [networkId]);
  const rows = await preparedRows<{ portId: string }>(
    tx.manager,
    `DELETE FROM floating_ips WHERE floating_network_id = $1 AND fixed_port_id IS NULL
        AND NOT EXISTS (SELECT FROM port_forwardings WHERE floatingip_id = floating_ips.id)
     RETURNING floating_port_id AS "portId"`,
    [networkId],
  );
  for (const { portId } of rows) {
    const freed = await preparedRows<{ subnetId: string; address: string }>(
      tx.manager,
      `DELETE FROM ip_allocations WHERE port_id = $1
       RETURNING subnet_id AS "subnetId", host(address) AS address`,
      [portId],
    );
    for (const { subnetId, address } of freed) await giveBack(tx, subnetId, address);
    await transition(tx, portStates, portId, 'remove');
    await nudge(tx, { task: 'port', resource: 'port', id: portId });
  }
}
