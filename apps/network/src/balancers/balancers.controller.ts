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
import { BalancerAnswer, BalancersAnswer, viewOfBalancer } from './balancer.answers.js';
import { BalancerBody } from './balancer.dto.js';
import { BalancersService } from './balancers.service.js';

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
