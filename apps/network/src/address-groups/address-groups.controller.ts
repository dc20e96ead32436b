import { Body, Controller, Inject, Param, Put } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { HTTPBadRequestError, InvalidValueError } from '@cumulet/common/resources/resource.errors';
import { listOf, Refusal } from '@cumulet/common/resources/value-type';
import { resourceController } from '../resource/resource.controller.js';
import { AddressGroup, addressGroupResource } from './address-group.resource.js';
import {
  addressGroups,
  AddressGroupsService,
  visibleAddressGroups,
} from './address-groups.service.js';
import { registerKind, sharedKind } from '../rbac-policies/rbac-kind.js';
import { ipPrefix } from '../addresses/address-types.js';

const views = viewsOf(addressGroupResource);

const ADDRESSES_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['addresses'],
  properties: { addresses: { type: 'array', items: { type: 'string' } } },
};

@Controller('v2.0/address-groups')
export class AddressGroupsController extends resourceController(
  addressGroupResource,
  AddressGroupsService,
) {
  @Inject(AddressGroupsService)
  private readonly groups: AddressGroupsService;

  @Put(':address_group_id/add_addresses')
  @Allow('member')
  @ApiBody({ schema: ADDRESSES_SCHEMA })
  @Operation('Add addresses to an address group', views.one)
  async addAddresses(
    @Ctx() ctx: RequestContext,
    @Param('address_group_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    const group = await this.groups.addAddresses(ctx, id, readAddresses(body));
    return { address_group: views.show(ctx, group) };
  }

  @Put(':address_group_id/remove_addresses')
  @Allow('member')
  @ApiBody({ schema: ADDRESSES_SCHEMA })
  @Operation('Remove addresses from an address group', views.one)
  async removeAddresses(
    @Ctx() ctx: RequestContext,
    @Param('address_group_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    const group = await this.groups.removeAddresses(ctx, id, readAddresses(body));
    return { address_group: views.show(ctx, group) };
  }
}

registerKind(
  'address_group',
  sharedKind({
    rows: addressGroups,
    visible: visibleAddressGroups,
    users: 'SELECT project_id FROM security_group_rules WHERE remote_address_group_id = $1',
  }),
);

@Feature({
  controllers: [AddressGroupsController],
  providers: [AddressGroupsService],
  entities: [AddressGroup],
})
export class AddressGroupsModule {}

const prefixes = listOf(ipPrefix);

/**
 * @param body `{"addresses": ["10.0.0.1/32"]}`
 * @returns the addresses without duplicates
 * @throws HTTPBadRequestError for an entry that is not an address
 */
function readAddresses(body: object): string[] {
  const { addresses } = body as { readonly addresses?: unknown };
  if (addresses === undefined)
    throw new HTTPBadRequestError("Unable to find 'addresses' in request body");
  try {
    return [...new Set(prefixes.read(addresses))];
  } catch (error) {
    throw error instanceof Refusal ? new InvalidValueError('addresses', error.message) : error;
  }
}
