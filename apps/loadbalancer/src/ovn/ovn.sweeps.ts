/** Sweeps of the load balancers that OVN runs, which belong to no host. */
import { Inject, Injectable } from '@nestjs/common';
import { asService } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { operatingStatuses } from '../statistics/operating-statuses.js';
import { changesIn, skeletonsOf, writeChanges } from '../statistics/skeleton.js';
import { BALANCERS, type Balancers, balancersProvider } from '../network/networks.port.js';
import { OVN, OvnOffer } from '../providers/providers.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { applyAgain } from '../tree/take-tree.js';
import { OvnBalancers } from './ovn-balancers.js';

type Own = Pick<LoadBalancer, 'id' | 'host' | 'state' | 'generation'>;

/** Compares what OVN has with the rows, and repairs both ways. */
@Injectable()
export class OvnComparison {
  constructor(
    @Inject(BALANCERS) private readonly balancers: Balancers,
    private readonly offer: OvnOffer,
  ) {}

  @SweepEvery(10_000, 'ovn-comparison')
  async compare(ctx: RequestContext): Promise<void> {
    if (!(await this.offer.isThere(ctx))) return;
    // What OVN has first: its row was here before it.
    const held = await this.balancers.balancers(asService(ctx));
    const own = await preparedRows<Own>(
      ctx.manager,
      'SELECT id, host, state, generation FROM load_balancers WHERE provider = $1',
      [OVN],
    );
    const known = new Set(own.map(({ id }) => id));
    for (const { id } of held)
      if (!known.has(id)) await this.balancers.deleteBalancer(asService(ctx), id);
    const whole = new Set(held.filter((one) => one.status !== 'ERROR').map(({ id }) => id));
    for (const row of own)
      if (row.state === 'active' && !whole.has(row.id))
        await applyAgain(ctx, row, 'OVN no longer had it.');
  }
}

/** Writes the health of members of load balancers that OVN carries. */
@Injectable()
export class OvnStatisticsSweep {
  constructor(private readonly balancers: OvnBalancers) {}

  @SweepEvery(1_000, 'ovn-statistics')
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
    const statistics = await this.balancers.statistics(ctx, (id) => listeners.get(id) ?? []);
    const found = trees.map(
      (tree) => [tree, operatingStatuses(tree, statistics.get(tree.id) ?? 'ended')] as const,
    );
    await writeChanges(ctx, changesIn(found));
  }
}

@Feature({
  providers: [balancersProvider, OvnBalancers, OvnComparison, OvnStatisticsSweep],
})
export class OvnModule {}
