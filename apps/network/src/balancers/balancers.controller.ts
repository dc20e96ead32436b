/**
 * Routes by which the load balancer service configures load balancing in OVN; for other services
 * only. Neutron has no counterpart, since Octavia's OVN provider writes to OVN directly.
 */
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { BalancerBody } from './balancer.dto.js';
import { BalancersService } from './balancers.service.js';
import type { AppliedState } from '../resource/applied.states.js';
import { Balancer, BalancerSource } from './balancer.entity.js';
import { BalancerHealthSweep } from './balancer-health.sweep.js';
import { BalancerReconciler } from './balancer.reconciler.js';
import { portUsers } from '../ports/port-users.js';
import { isCheckSource } from './balancer-sources.js';

const STATUS: Readonly<Record<AppliedState, string>> = {
  applying: 'BUILD',
  active: 'ACTIVE',
  error: 'ERROR',
  removing: 'BUILD',
};

const BalancerMemberHealth = answerClass('BalancerMemberHealth', {
  id: Shown(String, 'The ID of the member.'),
  status: Shown(String, 'The result of its health checks: online, offline or error.'),
});

const BalancerView = answerClass('BalancerView', {
  id: Shown(String, 'The ID.'),
  project_id: Shown(String, 'The ID of the project that owns the balancer.'),
  vip_port_id: Shown(String, "The ID of the port that reserves the balancer's addresses."),
  status: Shown(String, 'The status: ACTIVE once the data plane has applied the last change.'),
  status_reason: Shown(String, 'The reason for ERROR, or for the last retry.', { nullable: true }),
  members: Shown([() => BalancerMemberHealth], 'The health of the members that have been checked.'),
});

const BalancerAnswer = shownUnder('balancer', BalancerView);

const BalancersAnswer = allUnder('balancers', BalancerView);

function viewOfBalancer({ id, projectId, vipPortId, ...row }: Balancer): object {
  return {
    id,
    project_id: projectId,
    vip_port_id: vipPortId,
    status: STATUS[row.state],
    status_reason: row.stateReason,
    members: Object.entries(row.health).map(([member, status]) => ({ id: member, status })),
  };
}

@Controller('v2.0/balancers')
export class BalancersController {
  constructor(private readonly service: BalancersService) {}

  @Get()
  @Allow('service')
  @Operation('List load balancers of the data plane', BalancersAnswer)
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    return { balancers: (await this.service.list(ctx)).map(viewOfBalancer) };
  }

  @Get(':balancer_id')
  @Allow('service')
  @Operation('Show a load balancer of the data plane', BalancerAnswer)
  async show(@Ctx() ctx: RequestContext, @Param('balancer_id') id: string): Promise<object> {
    return { balancer: viewOfBalancer(await this.service.get(ctx, id)) };
  }

  @Put(':balancer_id')
  @Allow('service')
  @Operation('Create a load balancer of the data plane, or replace it', BalancerAnswer, {
    description:
      'For the load balancer service, which chooses the ID. Parts that the body does not name are removed.',
    errors: [409],
  })
  async put(
    @Ctx() ctx: RequestContext,
    @Param('balancer_id') id: string,
    @Body() { balancer }: BalancerBody,
  ): Promise<object> {
    return { balancer: viewOfBalancer(await this.service.put(ctx, id, balancer)) };
  }

  @Delete(':balancer_id')
  @Allow('service')
  @Operation('Delete a load balancer of the data plane', null)
  remove(@Ctx() ctx: RequestContext, @Param('balancer_id') id: string): Promise<void> {
    return this.service.remove(ctx, id);
  }
}

portUsers.push({ owns: isCheckSource });

@Feature({
  controllers: [BalancersController],
  providers: [BalancersService, BalancerReconciler, BalancerHealthSweep],
  entities: [Balancer, BalancerSource],
})
export class BalancersModule {}
