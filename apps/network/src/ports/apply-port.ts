/** What changes the row of a port, so that its reconciler goes on with it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { transition } from '@cumulet/common/states/transition';
import { tellCompute } from '../server-events/tell-compute.js';
import { freeAddresses, lockSubnets } from './port-addresses.js';
import { joinGroups } from './port-groups.js';
import type { Port } from './port.entity.js';
import { isCarried, portStates } from './port.states.js';

/**
 * The data plane has said whether it carries the port; compute hears of a server's port.
 * @param generation of the row about which it was asked
 * @throws SupersededError if the row has been moved since
 */
export function settlePort(
  ctx: RequestContext,
  { id, generation }: Pick<Port, 'id' | 'generation'>,
  isUp: boolean,
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const event = isUp ? 'came-up' : 'went-down';
    const before = await transition(tx, portStates, id, event, { only: { generation } });
    if (isCarried(before) === isUp) return;
    await tellCompute(tx, id, isUp ? 'network-vif-plugged' : 'network-vif-unplugged');
  });
}

/** Its addresses are free at once: the data plane lets go of the port by its id. */
export async function removePort(tx: RequestContext, port: Port): Promise<void> {
  const all = await lockSubnets(tx, port.networkId);
  await freeAddresses(tx, port, port.fixedIps, all);
  await joinGroups(tx, port.id, []);
  await transition(tx, portStates, port.id, 'remove');
  await nudge(tx, { task: 'port', resource: 'port', id: port.id });
}
