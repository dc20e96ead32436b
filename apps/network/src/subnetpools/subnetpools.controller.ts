import { Body, Controller, Inject, Param, Put } from '@nestjs/common';
import { ApiBody, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import * as actions from './subnetpool.actions.js';
import { Subnetpool } from './subnetpool.entity.js';
import { subnetpoolResource } from './subnetpool.resource.js';
import { SubnetpoolsService } from './subnetpools.service.js';
import { registerKind, sharedKind } from '../rbac-policies/rbac-kind.js';
import { ownOrShared } from '../rbac-policies/sharing.js';
import { checkScopeOf } from './pool-scopes.js';
import { subnetpools } from './subnet-allocation.js';

@ApiTags('subnet pools')
@Controller('v2.0/subnetpools')
export class SubnetpoolsController extends resourceController(
  subnetpoolResource,
  SubnetpoolsService,
) {
  @Inject(SubnetpoolsService)
  private readonly pools: SubnetpoolsService;

  @Put(':subnetpool_id/add_prefixes')
  @Allow('member')
  @ApiBody({ schema: actions.PREFIXES_SCHEMA })
  @Operation('Add prefixes to a subnet pool', actions.PrefixesView, { errors: [409] })
  async addPrefixes(
    @Ctx() ctx: RequestContext,
    @Param('subnetpool_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return { prefixes: await this.pools.addPrefixes(ctx, id, actions.readPrefixes(body)) };
  }

  @Put(':subnetpool_id/remove_prefixes')
  @Allow('member')
  @ApiBody({ schema: actions.PREFIXES_SCHEMA })
  @Operation('Remove prefixes from a subnet pool', actions.PrefixesView)
  async removePrefixes(
    @Ctx() ctx: RequestContext,
    @Param('subnetpool_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return { prefixes: await this.pools.removePrefixes(ctx, id, actions.readPrefixes(body)) };
  }

  /** Neutron answers with a list by itself. */
  @Put(':subnetpool_id/onboard_network_subnets')
  @Allow('member')
  @ApiBody({ schema: actions.ONBOARD_SCHEMA })
  @ApiResponse({ status: 200, description: 'Them all.', type: [actions.OnboardedSubnetView] })
  @Operation('Take the subnets of a network into a subnet pool', actions.OnboardedSubnetView, {
    status: 200,
    errors: [409],
  })
  onboard(
    @Ctx() ctx: RequestContext,
    @Param('subnetpool_id') id: string,
    @Body() body: object,
  ): Promise<object[]> {
    return this.pools.onboard(ctx, id, actions.readNetworkId(body));
  }
}

registerKind(
  'subnetpool',
  sharedKind({
    rows: subnetpools,
    visible: ownOrShared,
    users: 'SELECT project_id FROM subnets WHERE subnetpool_id = $1',
    shownIn: 'subnetpools',
    checkTarget: checkScopeOf,
  }),
);

@Feature({
  controllers: [SubnetpoolsController],
  providers: [SubnetpoolsService],
  entities: [Subnetpool],
})
export class SubnetpoolsModule {}
