/** Load balancers of tests that need no API: the rows of one with a listener and its pool. */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { initialState } from '@cumulet/common/states/transition';
import { Table } from '@cumulet/common/tables/table';
import { Listener } from './listener.entity.js';
import { type LoadBalancer, loadBalancers } from './load-balancer.entity.js';
import { loadBalancerStates } from './load-balancer.states.js';
import { nudgeLoadBalancer } from './take-tree.js';
import type { LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { Member } from './member.resource.js';
import { Pool } from './pool.entity.js';
import type { PartColumns } from './tree.columns.js';

const missing = (): DomainError => new DomainError('not-found', 'missing');
export const listeners = new Table(Listener, { missing });
export const pools = new Table(Pool, { missing });
export const members = new Table(Member, { missing });

export interface TreeIds {
  readonly id: string;
  readonly listenerId: string;
  readonly poolId: string;
  readonly memberId: string;
}

/**
 * A load balancer as it was just asked for, without a nudge.
 * @param values of the load balancer's row
 */
export async function insertTree(
  { ctx, project }: Pick<LoadBalancerFixture, 'ctx' | 'project'>,
  values: Partial<LoadBalancer> = {},
): Promise<TreeIds> {
  const ids = { id: randomUUID(), listenerId: randomUUID(), poolId: randomUUID() };
  const memberId = randomUUID();
  const { id, listenerId, poolId } = ids;
  const part = { projectId: project, loadBalancerId: id } as Pick<
    PartColumns,
    'projectId' | 'loadBalancerId'
  >;
  await inTransaction(ctx, async (tx) => {
    await loadBalancers.insert(tx, {
      id,
      projectId: part.projectId,
      provider: 'haproxy',
      vipSubnetId: randomUUID(),
      ...initialState(loadBalancerStates),
      ...values,
    });
    await pools.insert(tx, {
      ...part,
      id: poolId,
      protocol: 'HTTP',
      lbAlgorithm: 'ROUND_ROBIN',
    });
    const member = { id: memberId, poolId, address: '192.0.2.7', protocolPort: 80 };
    await members.insert(tx, { ...part, ...member });
    await listeners.insert(tx, {
      ...part,
      id: listenerId,
      protocol: 'HTTP',
      protocolPort: 80,
      defaultPoolId: poolId,
    });
  });
  return { ...ids, memberId };
}

/** One that runs. @param fixture of a host, which any other may take it from */
export async function runTree(fixture: LoadBalancerFixture): Promise<TreeIds> {
  const ids = await insertTree(fixture, { host: fixture.config.host });
  await nudgeLoadBalancer(fixture.ctx, { id: ids.id, host: fixture.config.host });
  await fixture.settle();
  return ids;
}
