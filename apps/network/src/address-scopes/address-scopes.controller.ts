import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { AddressScope, addressScopeResource } from './address-scope.resource.js';
import { addressScopes, AddressScopesService } from './address-scopes.service.js';
import { registerKind, sharedKind } from '../rbac-policies/rbac-kind.js';
import { ownOrShared } from '../rbac-policies/sharing.js';

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
