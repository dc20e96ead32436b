import { Controller, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import type { Condition } from '@cumulet/common/tables/condition';
import { registerKind, sharedKind } from '../rbac-policies/rbac-kind.js';
import { ownOrShared, removePolicies, shareWithAll } from '../rbac-policies/sharing.js';
import { resourceController } from '../resource/resource.controller.js';
import { ResourceService } from '../resource/resource.service.js';
import {
  AddressScope,
  type AddressScopeAttributes,
  type AddressScopeChange,
  addressScopeResource,
  addressScopes,
  AddressScopeUpdateError,
  type NewAddressScope,
} from './address-scope.resource.js';

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
      throw new AddressScopeUpdateError(scope.id, "Shared address scope can't be unshared");
    if (body.shared === true) await shareWithAll(tx, 'address_scope', scope);
    return this.save(tx, scope, this.columnsOf(body));
  }

  protected override async erase(tx: RequestContext, { id }: AddressScope): Promise<void> {
    await addressScopes.delete(tx, id);
    await removePolicies(tx, id);
  }
}

@Controller('v2.0/address-scopes')
export class AddressScopesController extends resourceController(
  addressScopeResource,
  AddressScopesService,
) {}

registerKind(
  'address_scope',
  sharedKind({
    rows: addressScopes,
    visible: ownOrShared,
    users: 'SELECT project_id FROM subnetpools WHERE address_scope_id = $1',
    shownIn: 'address_scopes',
  }),
);

@Feature({
  controllers: [AddressScopesController],
  providers: [AddressScopesService],
  entities: [AddressScope],
})
export class AddressScopesModule {}
