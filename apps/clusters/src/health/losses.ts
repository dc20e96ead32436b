/**
 * Nodes that looks have seen to be lost, in their rows. One look may see a server between a stop and a
 * start: only what the next one sees as well is lost, provided that the node has said nothing meanwhile.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { Node, NodeId } from '../nodes/node.entity.js';

const NOTE = `
  UPDATE nodes SET lost_since = CASE WHEN $2 THEN clock_timestamp() END WHERE id = $1`;

const STILL_LOST = `
  SELECT id FROM nodes
   WHERE id = ANY($1) AND fate = 'wanted' AND heard_at < lost_since
   ORDER BY id FOR UPDATE`;

/** Whether a look before has seen that, and the node has said nothing since. Pure. */
export function wasLost({ lostSince, heardAt }: Pick<Node, 'lostSince' | 'heardAt'>): boolean {
  return lostSince !== null && heardAt !== null && heardAt < lostSince;
}

class Losses {
  /** @param seen whose servers have been looked at, of which `lost` are lost */
  async note(
    { manager }: RequestContext,
    seen: readonly Node[],
    lost: readonly Node[],
  ): Promise<void> {
    for (const node of seen) {
      const isLost = lost.includes(node);
      const isNoted = isLost ? wasLost(node) : node.lostSince === null;
      // Each by itself: who holds one row and waits for another may wait for ever.
      if (!isNoted) await preparedRows(manager, NOTE, [node.id, isLost]);
    }
  }

  /** Those that have said nothing until now, and cannot until the transaction ends. */
  async lock({ manager }: RequestContext, lost: readonly Node[]): Promise<readonly NodeId[]> {
    const ids = lost.map(({ id }) => id);
    const still = await preparedRows<{ id: NodeId }>(manager, STILL_LOST, [ids]);
    return still.map(({ id }) => id);
  }
}

export const losses = new Losses();
