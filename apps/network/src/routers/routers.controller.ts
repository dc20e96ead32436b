/** Public source: Networking API reference, "Routers (routers)". */
import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { resourceController } from '../resource/resource.controller.js';
import * as bodies from './router-bodies.js';
import { Router, RouterPort } from './router.entity.js';
import { reapplyRoutersOfPolicy, RouterReconciler } from './router.reconciler.js';
import { routerResource } from './router.resource.js';
import { RoutersService, type InterfaceOf } from './routers.service.js';
import { portUsers } from '../ports/port-users.js';
import { policyBearers } from '../qos/qos-tables.js';
import { checkRouter } from './router-routes.js';

const InterfaceView = answerClass('RouterInterfaceView', {
  id: Shown(String, 'The id of the router.'),
  project_id: Shown(String, 'The project whose the port is.'),
  tenant_id: Shown(String, 'The same.'),
  port_id: Shown(String, 'The port that the router has there.'),
  network_id: Shown(String, 'The network of the port.'),
  subnet_id: Shown(String, 'The last of the subnets.'),
  subnet_ids: Shown([String], 'The subnets that the router stands between from then on.'),
  tags: Shown([String], 'Those of the router.'),
});

const views = viewsOf(routerResource);
const answers = { errors: [404, 409] };

@ApiTags('routers')
@Controller('v2.0/routers')
export class RoutersController extends resourceController(routerResource, RoutersService) {
  constructor(private readonly routers: RoutersService) {
    super();
  }

  @Put(':router_id/add_router_interface')
  @Allow('member')
  @ApiBody({ schema: bodies.INTERFACE_SCHEMA })
  @Operation('Add an interface to a router', InterfaceView, answers)
  async addInterface(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return interfaceView(await this.routers.addInterface(ctx, id, bodies.interfaceOf(body)));
  }

  @Put(':router_id/remove_router_interface')
  @Allow('member')
  @ApiBody({ schema: bodies.INTERFACE_SCHEMA })
  @Operation('Remove an interface from a router', InterfaceView, answers)
  async removeInterface(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return interfaceView(
      await this.routers.removeInterface(ctx, id, bodies.removedInterfaceOf(body)),
    );
  }

  @Put(':router_id/add_extraroutes')
  @Allow('member')
  @ApiBody({ schema: bodies.ROUTES_SCHEMA })
  @Operation('Add routes to a router', views.one, answers)
  async addRoutes(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.addRoutes(ctx, id, bodies.routesOf(body)));
  }

  @Put(':router_id/remove_extraroutes')
  @Allow('member')
  @ApiBody({ schema: bodies.ROUTES_SCHEMA })
  @Operation('Remove routes from a router', views.one, answers)
  async removeRoutes(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.removeRoutes(ctx, id, bodies.routesOf(body)));
  }

  @Put(':router_id/add_external_gateways')
  @Allow('member')
  @ApiBody({ schema: bodies.GATEWAYS_SCHEMA })
  @Operation('Add external gateways to a router', views.one, answers)
  async addGateways(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.addGateways(ctx, id, bodies.gatewaysOf(body)));
  }

  @Put(':router_id/update_external_gateways')
  @Allow('member')
  @ApiBody({ schema: bodies.GATEWAYS_SCHEMA })
  @Operation('Update the external gateways of a router', views.one, answers)
  async updateGateways(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.updateGateways(ctx, id, bodies.gatewaysOf(body)));
  }

  @Put(':router_id/remove_external_gateways')
  @Allow('member')
  @ApiBody({ schema: bodies.GATEWAYS_SCHEMA })
  @Operation('Remove external gateways from a router', views.one, answers)
  async removeGateways(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.removeGateways(ctx, id, bodies.gatewaysOf(body)));
  }
}

function routerView(ctx: RequestContext, router: Router): object {
  return { router: views.show(ctx, router) };
}

function interfaceView({ router, port, subnets }: InterfaceOf): object {
  return {
    id: router.id,
    project_id: port.projectId,
    tenant_id: port.projectId,
    port_id: port.id,
    network_id: port.networkId,
    subnet_id: subnets.at(-1)?.id,
    subnet_ids: subnets.map(({ id }) => id),
    tags: router.tags,
  };
}

portUsers.push({ readdressed: checkRouter });
policyBearers.push(reapplyRoutersOfPolicy);

@Feature({
  controllers: [RoutersController],
  providers: [RoutersService, RouterReconciler],
  entities: [Router, RouterPort],
})
export class RoutersModule {}
