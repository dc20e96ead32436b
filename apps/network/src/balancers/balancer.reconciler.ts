import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Reconciles } from '@cumulet/common/service/background';
import { AppliedReconciler } from '../resource/applied.reconciler.js';
import { balancers, type Balancer } from './balancer.entity.js';
import { balancerSpecOf } from './checked-subnets.js';
import { balancerStates } from './balancer.states.js';

@Reconciles()
@Injectable()
export class BalancerReconciler extends AppliedReconciler<Balancer> {
  readonly states = balancerStates;
  protected readonly table = balancers;
  protected readonly title = 'Balancer';

  protected async ensure(ctx: RequestContext, row: Balancer): Promise<void> {
    await this.dataPlane.ensureBalancer(await balancerSpecOf(ctx, row));
  }

  protected remove(id: string): Promise<void> {
    return this.dataPlane.removeBalancer(id);
  }
}
