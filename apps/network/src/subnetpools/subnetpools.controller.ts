import { Body, Controller, Inject, Param, Put } from '@nestjs/common';
import { ApiBody, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import {
  HTTPBadRequestError,
  InvalidInputError,
  InvalidValueError,
} from '@cumulet/common/resources/resource.errors';
import { listOf, Refusal } from '@cumulet/common/resources/value-type';
import { resourceController } from '../resource/resource.controller.js';
import { Subnetpool, subnetpoolResource } from './subnetpool.resource.js';
import { SubnetpoolsService } from './subnetpools.service.js';
import { registerKind, sharedKind } from '../rbac-policies/rbac-kind.js';
import { ownOrShared } from '../rbac-policies/sharing.js';
import { checkScopeOf } from './pool-scopes.js';
import { subnetpools } from './subnet-allocation.js';
import { ipSubnet } from '../addresses/address-types.js';

const PREFIXES_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['prefixes'],
  properties: { prefixes: { type: 'array', items: { type: 'string' }, minItems: 1 } },
};

const ONBOARD_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['network_id'],
  properties: { network_id: { type: 'string', format: 'uuid' } },
};

const PrefixesView = answerClass('PrefixesView', {
  prefixes: Shown([String], 'All CIDRs of the pool after the change.'),
});

const OnboardedSubnetView = answerClass('OnboardedSubnetView', {
  id: Shown(String, 'The ID of a subnet that is part of the pool now.'),
  cidr: Shown(String, 'The addresses of the subnet, as a CIDR.'),
});

const prefixList = listOf(ipSubnet);

/** @param body `{"prefixes": ["10.0.0.0/16"]}` */
function readPrefixes(body: object): string[] {
  const { prefixes } = body as { readonly prefixes?: unknown };
  if (!Array.isArray(prefixes) || prefixes.length === 0)
    throw new HTTPBadRequestError('Request body contains invalid data');
  try {
    return prefixList.read(prefixes);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidValueError('prefixes', error.message) : error;
  }
}

/** @param body `{"network_id": "…"}` */
function readNetworkId(body: object): string {
  const { network_id: id } = body as { readonly network_id?: unknown };
  if (typeof id !== 'string') throw new InvalidInputError('network_id must be specified');
  return id;
}

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
  @ApiBody({ schema: PREFIXES_SCHEMA })
  @Operation('Add prefixes to a subnet pool', PrefixesView, { errors: [409] })
  async addPrefixes(
    @Ctx() ctx: RequestContext,
    @Param('subnetpool_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return { prefixes: await this.pools.addPrefixes(ctx, id, readPrefixes(body)) };
  }

  @Put(':subnetpool_id/remove_prefixes')
  @Allow('member')
  @ApiBody({ schema: PREFIXES_SCHEMA })
  @Operation('Remove prefixes from a subnet pool', PrefixesView)
  async removePrefixes(
    @Ctx() ctx: RequestContext,
    @Param('subnetpool_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return { prefixes: await this.pools.removePrefixes(ctx, id, readPrefixes(body)) };
  }

  /** As in Neutron, the answer is a list without an envelope. */
  @Put(':subnetpool_id/onboard_network_subnets')
  @Allow('member')
  @ApiBody({ schema: ONBOARD_SCHEMA })
  @ApiResponse({ status: 200, description: 'The onboarded subnets.', type: [OnboardedSubnetView] })
  @Operation('Take the subnets of a network into a subnet pool', OnboardedSubnetView, {
    status: 200,
    errors: [409],
  })
  onboard(
    @Ctx() ctx: RequestContext,
    @Param('subnetpool_id') id: string,
    @Body() body: object,
  ): Promise<object[]> {
    return this.pools.onboard(ctx, id, readNetworkId(body));
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
