/** Writes down how the load balancers are that OVN carries, which are no host's. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SweepEvery } from '@cumulet/common/service/background';
import { operatingStatuses } from '../figures/operating-statuses.js';
import { skeletonsOf } from '../figures/skeleton.js';
import { changesIn, writeChanges } from '../figures/write-statuses.js';
import { OvnBalancers } from './ovn-balancers.js';
import { OVN } from './require-carried.js';

@Injectable()
export class OvnFiguresSweep {
  constructor(private readonly balancers: OvnBalancers) {}

  @SweepEvery(1_000, 'ovn-figures')
  async look(ctx: RequestContext): Promise<void> {
    const own = await preparedRows<{ id: string }>(
      ctx.manager,
      `SELECT id FROM load_balancers WHERE provider = $1 AND state = 'active'`,
      [OVN],
    );
    if (own.length === 0) return;
    const trees = await skeletonsOf(
      ctx,
      own.map(({ id }) => id),
    );
    const listeners = new Map(trees.map((one) => [one.id, one.listeners.map(({ id }) => id)]));
    const figures = await this.balancers.figures(ctx, (id) => listeners.get(id) ?? []);
    const found = trees.map(
      (tree) => [tree, operatingStatuses(tree, figures.get(tree.id) ?? 'ended')] as const,
    );
    await writeChanges(ctx, changesIn(found));
  }
}
