import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { L7RulesService } from '../l7-rules/l7-rules.service.js';
import { PartService, type Needs, type Ancestors } from '../parts/part.service.js';
import { requirePair } from '../parts/protocols.js';
import {
  ProviderUnsupportedOptionError,
  ListenerNoChildrenError,
  NotFoundError,
} from '../resources/octavia.errors.js';
import { type L7Policy, l7Policies, LAST } from '../tree/l7-policy.entity.js';
import { type Listener, listeners } from '../tree/listener.entity.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { pools } from '../tree/pool.entity.js';
import { markDeleting } from '../tree/take-tree.js';
import {
  l7PolicyResource,
  type L7PolicyAttributes,
  type L7PolicyChange,
  type NewL7Policy,
} from './l7-policy.resource.js';
import { actionColumns } from './policy-action.js';
import { placed, without, orderOf, reorder } from './positions.js';

/** Protocols whose requests a listener can look into. */
const WITH_REQUESTS: readonly string[] = ['HTTP', 'TERMINATED_HTTPS'];

@Injectable()
export class L7PoliciesService extends PartService<L7Policy, L7PolicyAttributes> {
  protected readonly resource = l7PolicyResource;
  protected readonly table = l7Policies;
  protected readonly kind = 'l7_policies';
  protected readonly quota = 'l7policy';

  constructor(private readonly rules: L7RulesService) {
    super();
  }

  override needs({ rules }: NewL7Policy): Needs {
    return { l7policy: 1, l7rule: rules.length };
  }

  async insertSubtree(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    body: NewL7Policy,
  ): Promise<L7Policy> {
    const listener = await listeners.get(tx, body.listenerId, reachable(tx));
    if (listener.protocol === 'PROMETHEUS') throw new ListenerNoChildrenError(listener.protocol);
    if (!WITH_REQUESTS.includes(listener.protocol)) {
      throw new ProviderUnsupportedOptionError(
        loadBalancer.provider,
        `${listener.protocol} protocol listeners do not support L7 policies`,
      );
    }
    const columns = this.columnsOf(body);
    const action = actionColumns(columns);
    await this.#requirePool(tx, listener, action.redirectPoolId);
    const id = randomUUID();
    const before = await orderOf(tx, listener.id);
    const policy = await this.table.insert(tx, {
      name: body.name,
      description: body.description,
      tags: body.tags,
      adminStateUp: body.adminStateUp,
      ...action,
      ...this.partOf(loadBalancer),
      id,
      listenerId: listener.id,
      position: before.length + 1,
    });
    await reorder(tx, placed(before, id, body.position ?? LAST));
    await this.rules.insertSubtrees(tx, loadBalancer, body.rules, id);
    return policy;
  }

  protected override async change(
    tx: RequestContext,
    row: L7Policy,
    body: L7PolicyChange,
  ): Promise<Partial<L7Policy>> {
    const { position: _, ...columns } = this.columnsOf(body);
    const { position } = body;
    const action = actionColumns(columns, row);
    if (action.redirectPoolId !== row.redirectPoolId)
      await this.#requirePool(tx, await listeners.get(tx, row.listenerId), action.redirectPoolId);
    if (position != null)
      await reorder(tx, placed(await orderOf(tx, row.listenerId), row.id, position));
    return { ...columns, ...action };
  }

  /** A policy that is being deleted stays behind the others until it is gone. */
  protected override async erase(tx: RequestContext, row: L7Policy): Promise<void> {
    const others = without(await orderOf(tx, row.listenerId), row.id);
    await reorder(tx, placed(others, row.id, LAST));
    await markDeleting(tx, 'l7_rules', row.ruleIds);
  }

  protected override ancestors(_tx: RequestContext, { listenerId }: L7Policy): Promise<Ancestors> {
    return Promise.resolve([['listeners', [listenerId]]]);
  }

  protected async homeOf(ctx: RequestContext, { listenerId: id }: NewL7Policy): Promise<string> {
    return (await listeners.get(ctx, id, reachable(ctx))).loadBalancerId;
  }

  /** @throws NotFoundError unless it is a pool of the same load balancer */
  async #requirePool(
    tx: RequestContext,
    { loadBalancerId, protocol }: Listener,
    id: string | null,
  ): Promise<void> {
    if (id === null) return;
    const pool = await pools.named(tx, id);
    if (pool.loadBalancerId !== loadBalancerId) throw new NotFoundError('Pool', id);
    requirePair(protocol, pool.protocol);
  }
}
