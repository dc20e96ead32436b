/** Public source: Networking API reference, "Routers (routers)". */
import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import {
  BadRequestError,
  HTTPBadRequestError,
  InvalidValueError,
} from '@cumulet/common/resources/resource.errors';
import { Refusal, uuid, type ValueType } from '@cumulet/common/resources/value-type';
import { resourceController } from '../resource/resource.controller.js';
import { Router, RouterPort } from './router.entity.js';
import { reapplyRoutersOfPolicy, RouterReconciler } from './router.reconciler.js';
import { routerResource, gatewayList, routeList, type AskedGateway } from './router.resource.js';
import { RoutersService, type InterfaceOf, type AskedInterface } from './routers.service.js';
import { portUsers } from '../ports/port-users.js';
import { policyBearers } from '../qos/qos-tables.js';
import { checkRouter } from './attached-subnets.js';
import type { HostRoute } from '../subnets/subnet.resource.js';

const ID: SchemaObject = { type: 'string', format: 'uuid' };

const INTERFACE_SCHEMA: SchemaObject = {
  type: 'object',
  properties: { subnet_id: ID, port_id: ID },
};

const ROUTES_SCHEMA = ofRouter('routes', {
  type: 'array',
  items: {
    type: 'object',
    required: ['destination', 'nexthop'],
    properties: { destination: { type: 'string' }, nexthop: { type: 'string' } },
  },
});

const GATEWAYS_SCHEMA = ofRouter('external_gateways', {
  type: 'array',
  items: {
    type: 'object',
    required: ['network_id'],
    properties: {
      network_id: ID,
      enable_snat: { type: 'boolean' },
      qos_policy_id: { ...ID, nullable: true },
      external_fixed_ips: {
        type: 'array',
        items: { type: 'object', properties: { subnet_id: ID, ip_address: { type: 'string' } } },
      },
    },
  },
});

/** @param body `{"subnet_id": "…"}` or `{"port_id": "…"}` */
function interfaceOf(body: object): AskedInterface {
  const asked = removedInterfaceOf(body);
  if (asked.subnetId !== undefined && asked.portId !== undefined)
    throw new BadRequestError('router', 'Cannot specify both subnet-id and port-id');
  return asked;
}

/** The same, but with both, the port must be on the subnet. */
function removedInterfaceOf(body: object): AskedInterface {
  const { subnet_id: subnet, port_id: port } = body as Readonly<Record<string, unknown>>;
  if (subnet === undefined && port === undefined)
    throw new BadRequestError('router', 'Either subnet_id or port_id must be specified');
  return { subnetId: idOf(subnet), portId: idOf(port) };
}

/** @param body `{"router": {"routes": [{"destination": "…", "nexthop": "…"}]}}` */
function routesOf(body: object): HostRoute[] {
  return partOf(body, 'routes', routeList);
}

/** @param body `{"router": {"external_gateways": [{"network_id": "…"}]}}` */
function gatewaysOf(body: object): AskedGateway[] {
  return partOf(body, 'external_gateways', gatewayList);
}

function idOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  try {
    return uuid.read(value).toLowerCase();
  } catch (error) {
    throw error instanceof Refusal ? new BadRequestError('router', error.message) : error;
  }
}

function partOf<T>(body: object, name: string, type: ValueType<T>): T {
  const { router } = body as { readonly router?: unknown };
  if (typeof router !== 'object' || router === null)
    throw new HTTPBadRequestError("Unable to find 'router' in request body");
  const value = (router as Readonly<Record<string, unknown>>)[name];
  if (value === undefined)
    throw new HTTPBadRequestError(`Unable to find '${name}' in request body`);
  try {
    return type.read(value);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidValueError(name, error.message) : error;
  }
}

function ofRouter(name: string, part: SchemaObject): SchemaObject {
  const router: SchemaObject = { type: 'object', required: [name], properties: { [name]: part } };
  return { type: 'object', required: ['router'], properties: { router } };
}

const InterfaceView = answerClass('RouterInterfaceView', {
  id: Shown(String, 'The ID of the router.'),
  project_id: Shown(String, 'The ID of the project that owns the port.'),
  tenant_id: Shown(String, 'The same as `project_id`.'),
  port_id: Shown(String, "The ID of the interface's port."),
  network_id: Shown(String, "The ID of the port's network."),
  subnet_id: Shown(String, 'The ID of the last of the subnets.'),
  subnet_ids: Shown([String], "The IDs of the interface's subnets."),
  tags: Shown([String], 'The tags of the router.'),
});

const views = viewsOf(routerResource);
const answers = { errors: [404, 409] };

@Controller('v2.0/routers')
export class RoutersController extends resourceController(routerResource, RoutersService) {
  constructor(private readonly routers: RoutersService) {
    super();
  }

  @Put(':router_id/add_router_interface')
  @Allow('member')
  @ApiBody({ schema: INTERFACE_SCHEMA })
  @Operation('Add an interface to a router', InterfaceView, answers)
  async addInterface(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return interfaceView(await this.routers.addInterface(ctx, id, interfaceOf(body)));
  }

  @Put(':router_id/remove_router_interface')
  @Allow('member')
  @ApiBody({ schema: INTERFACE_SCHEMA })
  @Operation('Remove an interface from a router', InterfaceView, answers)
  async removeInterface(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return interfaceView(await this.routers.removeInterface(ctx, id, removedInterfaceOf(body)));
  }

  @Put(':router_id/add_extraroutes')
  @Allow('member')
  @ApiBody({ schema: ROUTES_SCHEMA })
  @Operation('Add routes to a router', views.one, answers)
  async addRoutes(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.addRoutes(ctx, id, routesOf(body)));
  }

  @Put(':router_id/remove_extraroutes')
  @Allow('member')
  @ApiBody({ schema: ROUTES_SCHEMA })
  @Operation('Remove routes from a router', views.one, answers)
  async removeRoutes(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.removeRoutes(ctx, id, routesOf(body)));
  }

  @Put(':router_id/add_external_gateways')
  @Allow('member')
  @ApiBody({ schema: GATEWAYS_SCHEMA })
  @Operation('Add external gateways to a router', views.one, answers)
  async addGateways(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.addGateways(ctx, id, gatewaysOf(body)));
  }

  @Put(':router_id/update_external_gateways')
  @Allow('member')
  @ApiBody({ schema: GATEWAYS_SCHEMA })
  @Operation('Update the external gateways of a router', views.one, answers)
  async updateGateways(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.updateGateways(ctx, id, gatewaysOf(body)));
  }

  @Put(':router_id/remove_external_gateways')
  @Allow('member')
  @ApiBody({ schema: GATEWAYS_SCHEMA })
  @Operation('Remove external gateways from a router', views.one, answers)
  async removeGateways(
    @Ctx() ctx: RequestContext,
    @Param('router_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return routerView(ctx, await this.routers.removeGateways(ctx, id, gatewaysOf(body)));
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
