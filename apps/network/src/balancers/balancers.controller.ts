/**
 * The door by which the load balancer service has OVN balance, for sister services alone: Neutron's
 * API has nothing like it, as its provider writes to OVN by itself.
 */
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
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
  id: Shown(String, "The member's id."),
  status: Shown(String, 'Whether it answers its checks: online, offline; error without any.'),
});

const BalancerView = answerClass('BalancerView', {
  id: Shown(String, 'Its id.'),
  project_id: Shown(String, 'The project whose it is.'),
  vip_port_id: Shown(String, 'The port that keeps its addresses.'),
  status: Shown(String, 'ACTIVE once the data plane has it as it was last asked for.'),
  status_reason: Shown(String, 'Why it is in ERROR, or what is tried again.', { nullable: true }),
  members: Shown([() => BalancerMemberHealth], 'Those that have been checked.'),
});

const BalancerAnswer = answerClass('BalancerAnswer', {
  balancer: Shown(() => BalancerView, 'As it is now.'),
});

const BalancersAnswer = answerClass('BalancersAnswer', {
  balancers: Shown([() => BalancerView], 'All that there are.'),
});

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

@ApiTags('balancers')
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
    description: 'For the load balancer service, whose id it has. All that is not named goes.',
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
