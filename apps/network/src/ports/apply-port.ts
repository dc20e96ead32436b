/** Changes of a port's row that its reconciler acts on. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { transition } from '@cumulet/common/states/transition';
import { notifyCompute } from '../server-events/notify-compute.js';
import { freeAddresses, lockSubnets } from './port-addresses.js';
import { joinGroups } from './port-groups.js';
import type { Port } from './port.entity.js';
import { allocations, ports } from './port.repository.js';
import { isCarried, portStates } from './port.states.js';

/**
 * Records whether the data plane carries the port, and notifies compute about a server's port.
 * @param generation of the row when the data plane was asked
 * @throws SupersededError if the row has changed since
 */
export function recordStatus(
  ctx: RequestContext,
  { id, generation }: Pick<Port, 'id' | 'generation'>,
  isUp: boolean,
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const event = isUp ? 'came-up' : 'went-down';
    const before = await transition(tx, portStates, id, event, { only: { generation } });
    if (isCarried(before) === isUp) return;
    await notifyCompute(tx, id, isUp ? 'network-vif-plugged' : 'network-vif-unplugged');
  });
}

/** Frees its addresses at once, since the data plane removes the port by its ID. */
export async function removePort(tx: RequestContext, port: Port): Promise<void> {
  const all = await lockSubnets(tx, port.networkId);
  await freeAddresses(tx, port, port.fixedIps, all);
  await joinGroups(tx, port.id, []);
  await removeUnaddressed(tx, port.id);
}

/** Has the reconciler remove a port without addresses. */
export async function removeUnaddressed(tx: RequestContext, id: string): Promise<void> {
  await transition(tx, portStates, id, 'remove');
  await nudge(tx, { task: 'port', resource: 'port', id });
}

/** The reconciler applies the port as it is when it runs. @param port as it is, locked */
export async function reapplyPort(
  tx: RequestContext,
  { id, state }: Pick<Port, 'id' | 'state'>,
): Promise<void> {
  await transition(tx, portStates, id, isCarried(state) ? 'update' : 'build');
  await nudge(tx, { task: 'port', resource: 'port', id });
}

/** Does nothing for a port that is deleted or being deleted. */
async function reapplyById(tx: RequestContext, id: string): Promise<void> {
  const port = await ports.lockPresent(tx, id);
  if (port) await reapplyPort(tx, port);
}

/** Called when the rules of a policy have changed. */
export async function reapplyPortsOfPolicy(ctx: RequestContext, policyId: string): Promise<void> {
  for (const id of await ports.ofPolicy(ctx, policyId))
    await inTransaction(ctx, (tx) => reapplyById(tx, id));
}

/** @param tx has locked the network, whose policy has changed */
export async function reapplyPortsOf(tx: RequestContext, networkId: string): Promise<void> {
  for (const id of await ports.followingNetwork(tx, networkId)) await reapplyById(tx, id);
}

/** Takes the addresses of a subnet that is being deleted from its ports. */
export async function releaseSubnet(tx: RequestContext, subnetId: string): Promise<void> {
  const ids = await allocations.removeOn(tx, subnetId);
  // In the order in which all transactions lock several ports.
  for (const id of [...ids].sort()) await reapplyById(tx, id);
}
