/** Changes of a port's row that its reconciler acts on. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { transition } from '@cumulet/common/states/transition';
import { preparedRows } from '@cumulet/common/database/rows';
import { notifyCompute } from '../server-events/notify-compute.js';
import { freeAddresses, lockSubnets } from './port-addresses.js';
import { joinGroups } from './port-groups.js';
import type { Port } from './port.entity.js';
import { isCarried, portStates, type PortState } from './port.states.js';

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
  await transition(tx, portStates, port.id, 'remove');
  await nudge(tx, { task: 'port', resource: 'port', id: port.id });
}

interface AppliedPort {
  readonly id: string;
  readonly state: PortState;
}

/** The reconciler applies the port as it is when it runs. @param port as it is, locked */
export async function reapplyPort(tx: RequestContext, { id, state }: AppliedPort): Promise<void> {
  await transition(tx, portStates, id, isCarried(state) ? 'update' : 'build');
  await nudge(tx, { task: 'port', resource: 'port', id });
}

/** Does nothing for a port that is deleted or being deleted. */
export async function reapplyById(tx: RequestContext, id: string): Promise<void> {
  const [port] = await preparedRows<{ id: string; state: PortState }>(
    tx.manager,
    "SELECT id, state FROM ports WHERE id = $1 AND state <> 'removing' FOR UPDATE",
    [id],
  );
  if (port) await reapplyPort(tx, port);
}

/**
 * Ports that use the network's QoS policy: those without a policy of their own, except ports of the
 * network service itself.
 */
const BY_NETWORK = "qos_policy_id IS NULL AND device_owner NOT LIKE 'network:%'";

/** Called when the rules of a policy have changed. */
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
