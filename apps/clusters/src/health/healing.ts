/**
 * With the label auto_healing_enabled, replaces nodes that are silent and whose servers two
 * successive checks found gone, off or broken. Public source: Magnum user guide, "Auto-healing".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { RowChangedError, SupersededError } from '@cumulet/common/states/transition';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Cluster } from '../clusters/cluster.entity.js';
import { clusterStates } from '../clusters/cluster.states.js';
import type { ClustersConfig } from '../config.js';
import { ChosenEngine } from '../engine/chosen-engine.js';
import { isOn } from '../labels/known-labels.js';
import { nodeRows, NOT_DRAINED } from '../nodes/node-rows.js';
import type { Node, NodeId } from '../nodes/node.entity.js';
import { beginWork } from '../work/begin-work.js';
import { silentNodes } from './silence.js';

const NOTE = `
  UPDATE nodes SET lost_since = CASE WHEN $2 THEN clock_timestamp() END WHERE id = $1`;

const STILL_LOST = `
  SELECT id FROM nodes
   WHERE id = ANY($1) AND fate = 'wanted' AND heard_at < lost_since
   ORDER BY id FOR UPDATE`;

/** Whether an earlier check found the server lost, and the node has not reported since. Pure. */
function wasLost({ lostSince, heardAt }: Pick<Node, 'lostSince' | 'heardAt'>): boolean {
  return lostSince !== null && heardAt !== null && heardAt < lostSince;
}

class Losses {
  /** @param seen nodes whose servers were checked, including the `lost` ones */
  async note(
    { manager }: RequestContext,
    seen: readonly Node[],
    lost: readonly Node[],
  ): Promise<void> {
    for (const node of seen) {
      const isLost = lost.includes(node);
      const isNoted = isLost ? wasLost(node) : node.lostSince === null;
      // One row per transaction, to avoid deadlocks.
      if (!isNoted) await preparedRows(manager, NOTE, [node.id, isLost]);
    }
  }

  /** Locks those that have not reported until now, so they cannot until the transaction ends. */
  async lock({ manager }: RequestContext, lost: readonly Node[]): Promise<readonly NodeId[]> {
    const ids = lost.map(({ id }) => id);
    const still = await preparedRows<{ id: NodeId }>(manager, STILL_LOST, [ids]);
    return still.map(({ id }) => id);
  }
}

const losses = new Losses();

@Injectable()
export class Healing {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<ClustersConfig, 'reportSeconds'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
    private readonly engine: ChosenEngine,
  ) {}

  async heal(ctx: RequestContext, cluster: Cluster, all: readonly Node[]): Promise<void> {
    const mayHeal = clusterStates.events.heal.from.includes(cluster.state);
    if (!mayHeal || !isOn(cluster.labels, 'auto_healing_enabled', false)) return;
    const silent = silentNodes(all, { now: new Date(), reportSeconds: this.config.reportSeconds });
    if (silent.length === 0) return;
    const engine = await this.engine.of(ctx);
    const lost = await engine.lostNodes(ctx, cluster, silent);
    await losses.note(ctx, silent, lost);
    const going = replaceable(lost, all).filter(wasLost);
    if (going.length > 0) await this.#replace(ctx, cluster, going);
  }

  async #replace(ctx: RequestContext, cluster: Cluster, lost: readonly Node[]): Promise<void> {
    try {
      const ids = await inTransaction(ctx, async (tx) => {
        await beginWork(tx, cluster, 'heal', {
          doing: 'Healing',
          groups: lost.map(({ nodeGroupId }) => nodeGroupId),
        });
        const still = await losses.lock(tx, lost);
        if (still.length === 0) throw new RowChangedError('cluster', cluster.id, 'heal');
        await nodeRows.go(tx, cluster.id, still, NOT_DRAINED);
        return still;
      });
      const names = lost.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
      this.logger.info({ cluster: cluster.id, nodes: names }, 'replacing lost nodes');
    } catch (error) {
      // Other work has begun, or the nodes have reported again; the next check decides anew.
      if (!(error instanceof SupersededError)) throw error;
    }
  }
}

/** Masters are replaceable while etcd keeps a majority, without which none can join. */
export function replaceable(lost: readonly Node[], all: readonly Node[]): readonly Node[] {
  const members = all.filter(({ role, hasEtcd }) => role === 'master' && hasEtcd);
  const lostMembers = lost.filter(({ role, hasEtcd }) => role === 'master' && hasEtcd);
  const hasMajority = (members.length - lostMembers.length) * 2 > members.length;
  return lost.filter(({ role, hasEtcd }) => role !== 'master' || !hasEtcd || hasMajority);
}
