/** Public source: Load Balancer API v2 reference, "Load Balancers". */
import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { BooleanField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { StatisticsView, statisticsOf } from '../listeners/statistics.js';
import { MAX_BYTES } from '../members/member-batch.js';
import { resourceController } from '../resources/resource.controller.js';
import { LoadBalancer } from '../tree/load-balancer.entity.js';
import { treeRows } from '../tree/tree-rows.js';
import { ProviderSelection } from './provider-selection.js';
import { VipSelection } from './vip-selection.js';
import { HaproxyDriver } from './haproxy-driver.js';
import { HostComparison } from './host-comparison.sweep.js';
import { LoadBalancerReconciler } from './load-balancer.reconciler.js';
import { loadBalancerResource } from './load-balancer.resource.js';
import { populatedView, statusTree, StatusTreeView } from './load-balancer.view.js';
import { LoadBalancersService } from './load-balancers.service.js';
import { TakeoverSweep } from './takeover.sweep.js';

export class DeleteLoadBalancerQuery {
  @BooleanField({
    optional: true,
    fromText: true,
    description: 'Whether its listeners, pools and other parts are deleted with it.',
  })
  cascade?: boolean;
}

const Base = resourceController(loadBalancerResource, LoadBalancersService, {
  title: 'load balancer',
  errors: [501],
  createBytes: MAX_BYTES,
});

@Controller('v2.0/lbaas/loadbalancers')
export class LoadBalancersController extends Base {
  declare readonly service: LoadBalancersService;

  override async shownNew(ctx: RequestContext, row: LoadBalancer): Promise<object> {
    const isPlain = row.listenerIds.length === 0 && row.poolIds.length === 0;
    return isPlain ? super.shownNew(ctx, row) : populatedView(ctx, await treeRows(ctx, row));
  }

  @Delete(':loadbalancer_id')
  @Allow('member')
  @Operation('Delete a load balancer', null, { errors: [409] })
  override remove(
    @Ctx() ctx: RequestContext,
    @Param() { loadbalancer_id: id = '' }: Record<string, string>,
    @Query() query?: DeleteLoadBalancerQuery,
  ): Promise<void> {
    return this.service.remove(ctx, id, { cascade: query?.cascade === true });
  }

  @Get([':loadbalancer_id/status', ':loadbalancer_id/statuses'])
  @Allow('reader')
  @Operation('Get the status tree of a load balancer', StatusTreeView)
  async status(@Ctx() ctx: RequestContext, @Param('loadbalancer_id') id: string): Promise<object> {
    const row = await this.service.get(ctx, id);
    return statusTree(await treeRows(ctx, row));
  }

  @Get(':loadbalancer_id/stats')
  @Allow('reader')
  @Operation('Get the statistics of a load balancer', StatisticsView)
  async stats(@Ctx() ctx: RequestContext, @Param('loadbalancer_id') id: string): Promise<object> {
    const row = await this.service.get(ctx, id);
    return statisticsOf(ctx, { loadBalancerId: row.id });
  }

  @Put(':loadbalancer_id/failover')
  @Allow('admin')
  @Operation('Fail over a load balancer', null, { status: 202, errors: [409] })
  failover(@Ctx() ctx: RequestContext, @Param('loadbalancer_id') id: string): Promise<void> {
    return this.service.failover(ctx, id);
  }
}

@Feature({
  controllers: [LoadBalancersController],
  providers: [
    ProviderSelection,
    VipSelection,
    HaproxyDriver,
    HostComparison,
    LoadBalancerReconciler,
    LoadBalancersService,
    TakeoverSweep,
  ],
})
export class LoadBalancersModule {}
