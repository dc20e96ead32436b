/** What changes the row of a port, so that its reconciler goes on with it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import { transition } from '@cumulet/common/states/transition';
import { freeAddresses, lockSubnets } from './port-addresses.js';
import { joinGroups } from './port-groups.js';
import type { Port } from './port.entity.js';
import { portStates } from './port.states.js';

/** Its addresses are free at once: the data plane lets go of the port by its id. */
export async function removePort(tx: RequestContext, port: Port): Promise<void> {
  const all = await lockSubnets(tx, port.networkId);
  await freeAddresses(tx, port, port.fixedIps, all);
  await joinGroups(tx, port.id, []);
  await transition(tx, portStates, port.id, 'remove');
  await nudge(tx, { task: 'port', resource: 'port', id: port.id });
}
