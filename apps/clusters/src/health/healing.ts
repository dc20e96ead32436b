/**
 * Replaces nodes that are silent, and whose servers two looks in a row have seen to be gone, off or
 * broken, where the cluster's label auto_healing_enabled asks for it. Public source: Magnum user guide, "Auto-healing".
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { RowChangedError, SupersededError } from '@cumulet/common/states/transition';
import type { Logger } from 'pino';
import { beginWork } from '../work/begin-work.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import { clusterStates } from '../clusters/cluster.states.js';
import type { ClustersConfig } from '../config.js';
import { ChosenEngine } from '../engine/chosen-engine.js';
import { isOn } from '../labels/known-labels.js';
import type { Node } from '../nodes/node.entity.js';
import { NOT_DRAINED, nodeRows } from '../nodes/node-rows.js';
import { losses, wasLost } from './losses.js';
import { silentNodes } from './silence.js';

@Injectable()
export class Healing {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<ClustersConfig, 'reportSeconds'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
    private readonly engine: ChosenEngine,
  ) {}

  /** @param all the nodes of the cluster */
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
      this.logger.info({ cluster: cluster.id, nodes: names }, 'replaces nodes that are gone');
    } catch (error) {
      // Other work has begun, or all have spoken again: the next look sees what is still missing.
      if (!(error instanceof SupersededError)) throw error;
    }
  }
}

/** Masters as long as others have what etcd holds: without a majority a new one would know nothing. */
export function replaceable(lost: readonly Node[], all: readonly Node[]): readonly Node[] {
  const members = all.filter(({ role, hasEtcd }) => role === 'master' && hasEtcd);
  const lostMembers = lost.filter(({ role, hasEtcd }) => role === 'master' && hasEtcd);
  const hasMajority = (members.length - lostMembers.length) * 2 > members.length;
  return lost.filter(({ role, hasEtcd }) => role !== 'master' || !hasEtcd || hasMajority);
}
