import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Condition } from '@cumulet/common/tables/condition';
import { shareWithAll, removePolicies, ownOrShared } from '../rbac-policies/sharing.js';
import { ResourceService } from '../resource/resource.service.js';
import {
  AddressScope,
  type AddressScopeAttributes,
  type AddressScopeChange,
  addressScopeResource,
  type NewAddressScope,
} from './address-scope.resource.js';
import * as errors from './address-scope.errors.js';
import { resourceTable } from '../resource/resource.table.js';

export const addressScopes = resourceTable(AddressScope, errors.AddressScopeNotFoundError, {
  subnetpools_scope_fkey: ({ id }) => new errors.AddressScopeInUseError(id ?? ''),
});

@Injectable()
export class AddressScopesService extends ResourceService<AddressScope, AddressScopeAttributes> {
  protected readonly resource = addressScopeResource;
  protected readonly table = addressScopes;

  protected override visible(ctx: RequestContext): Condition[] {
    return ownOrShared(ctx);
  }

  protected override async make(tx: RequestContext, body: NewAddressScope): Promise<AddressScope> {
    const scope = await super.make(tx, body);
    if (scope.shared) await shareWithAll(tx, 'address_scope', scope);
    return scope;
  }

  protected override async change(
    tx: RequestContext,
    scope: AddressScope,
    body: AddressScopeChange,
  ): Promise<AddressScope> {
    if (scope.shared && body.shared === false)
      throw new errors.AddressScopeUpdateError(scope.id, "Shared address scope can't be unshared");
    if (body.shared === true) await shareWithAll(tx, 'address_scope', scope);
    return this.save(tx, scope, this.columnsOf(body));
  }

  protected override async erase(tx: RequestContext, { id }: AddressScope): Promise<void> {
    await addressScopes.delete(tx, id);
    await removePolicies(tx, id);
  }
}
