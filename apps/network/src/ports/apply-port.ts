/** What changes the row of a port, so that its reconciler goes on with it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { transition } from '@cumulet/common/states/transition';
import { preparedRows } from '@cumulet/common/database/rows';
import { tellCompute } from '../server-events/tell-compute.js';
import { freeAddresses, lockSubnets } from './port-addresses.js';
import { joinGroups } from './port-groups.js';
import type { Port } from './port.entity.js';
import { isCarried, portStates, type PortState } from './port.states.js';

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

interface AppliedPort {
  readonly id: string;
  readonly state: PortState;
}

/** The data plane is told of the port as it is when it looks. @param port as it is, locked */
export async function reapplyPort(tx: RequestContext, { id, state }: AppliedPort): Promise<void> {
  await transition(tx, portStates, id, isCarried(state) ? 'update' : 'build');
  await nudge(tx, { task: 'port', resource: 'port', id });
}

/** The same by its id. Does nothing for a port that is gone, or going. */
export async function reapplyById(tx: RequestContext, id: string): Promise<void> {
  const [port] = await preparedRows<{ id: string; state: PortState }>(
    tx.manager,
    "SELECT id, state FROM ports WHERE id = $1 AND state <> 'removing' FOR UPDATE",
    [id],
  );
  if (port) await reapplyPort(tx, port);
}

/** Ports that a network's policy is for: those of their own have none of it, nor the network's own. */
const BY_NETWORK = "qos_policy_id IS NULL AND device_owner NOT LIKE 'network:%'";

/** A policy says something else. */
export async function reapplyPortsOfPolicy(ctx: RequestContext, policyId: string): Promise<void> {
  const ids = await idsOf(
    ctx,
    `SELECT id FROM ports WHERE qos_policy_id = $1
      UNION ALL
     SELECT id FROM ports
      WHERE network_id IN (SELECT id FROM networks WHERE qos_policy_id = $1) AND ${BY_NETWORK}
      ORDER BY id`,
    policyId,
  );
  for (const id of ids) await inTransaction(ctx, (tx) => reapplyById(tx, id));
}

/** @param tx has locked the network, whose policy has changed */
export async function reapplyPortsOf(tx: RequestContext, networkId: string): Promise<void> {
  const text = `SELECT id FROM ports WHERE network_id = $1 AND ${BY_NETWORK} ORDER BY id`;
  for (const id of await idsOf(tx, text, networkId)) await reapplyById(tx, id);
}

async function idsOf(ctx: RequestContext, text: string, of: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(ctx.manager, text, [of]);
  return rows.map(({ id }) => id);
}
