import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import { oneOf } from '@cumulet/common/tables/condition';
import { ports } from '../ports/port.repository.js';
import { isPresent } from '../resource/resource.table.js';
import { PortNotFoundError } from '../ports/port.errors.js';
import { apply } from '../resource/applied.states.js';
import { subnets } from '../subnets/subnet.repository.js';
import type { BalancerDto } from './balancer.dto.js';
import { balancers, type Balancer } from './balancer.entity.js';
import { BalancerInUseError, BalancerNotFoundError } from './balancer.errors.js';
import { dropSources, lockSources, makeSources } from './balancer-sources.js';
import { subnetsFor, checkedSubnets, type Place } from './checked-subnets.js';
import { balancerStates } from './balancer.states.js';

@Injectable()
export class BalancersService {
  list(ctx: RequestContext): Promise<Balancer[]> {
    return balancers.select(ctx, [isPresent], 'ORDER BY id');
  }

  /** @throws BalancerNotFoundError */
  get(ctx: RequestContext, id: string): Promise<Balancer> {
    if (!isUuid(id)) throw new BalancerNotFoundError(id);
    return balancers.get(ctx, id, [isPresent]);
  }

  /**
   * Creates or replaces the balancer. An unchanged balancer is not applied again unless it failed.
   * @throws PortNotFoundError
   * @throws BalancerInUseError if it is being removed
   * @throws IpAddressGenerationFailureError if a subnet has no free address to send checks from
   */
  put(ctx: RequestContext, id: string, body: BalancerDto): Promise<Balancer> {
    if (!isUuid(id)) throw new BalancerNotFoundError(id);
    return inTransaction(ctx, async (tx) => {
      await transactionLock(tx.manager, `balancer ${id}`);
      const before = await balancers.find(tx, id);
      if (before?.state === 'removing') throw new BalancerInUseError(id);
      const port = await ports.find(tx, body.vip_port_id, [isPresent]);
      if (!port) throw new PortNotFoundError(body.vip_port_id);
      const all = await subnetsFor(tx, port.networkId, body.listeners);
      const checked = checkedSubnets(body, port.networkId, all);
      const columns = {
        projectId: body.project_id,
        vipPortId: body.vip_port_id,
        adminStateUp: body.admin_state_up,
        listeners: body.listeners,
        checkedSubnetIds: checked.map((one) => one.id),
      };
      if (before?.state !== 'error' && before && isSame(before, columns)) return before;
      const left = await this.#placesOf(tx, before);
      await lockSources(tx, [...checked, ...left]);
      await makeSources(tx, checked);
      if (before) {
        await balancers.update(tx, id, columns);
        await apply(tx, balancerStates, id);
      } else {
        await balancers.insert(tx, { id, ...columns, ...initialState(balancerStates) });
        await nudge(tx, { task: 'balancer', resource: 'balancer', id });
      }
      await dropSources(tx, left);
      return balancers.get(tx, id);
    });
  }

  /** @throws BalancerNotFoundError also for a balancer that is being removed */
  remove(ctx: RequestContext, id: string): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      await transactionLock(tx.manager, `balancer ${id}`);
      const before = await this.get(tx, id);
      const left = await this.#placesOf(tx, before);
      await lockSources(tx, left);
      await balancers.update(tx, id, { checkedSubnetIds: [] });
      await apply(tx, balancerStates, id, 'remove');
      await dropSources(tx, left);
    });
  }

  async #placesOf(tx: RequestContext, row: Balancer | undefined): Promise<readonly Place[]> {
    return subnets.select(tx, [oneOf('id', row?.checkedSubnetIds ?? [])]);
  }
}

function isSame(before: Balancer, columns: Partial<Balancer>): boolean {
  // Drops the classes of the body's parts, so that it compares equal to a row.
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return Object.entries(columns).every(([name, value]) =>
    isDeepStrictEqual(plain(before[name as keyof Balancer]), plain(value)),
  );
}
