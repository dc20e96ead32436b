import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { AddressScope } from './address-scope.entity.js';
import { addressScopeResource } from './address-scope.resource.js';
import { AddressScopesService } from './address-scopes.service.js';

@ApiTags('address scopes')
@Controller('v2.0/address-scopes')
export class AddressScopesController extends resourceController(
  addressScopeResource,
  AddressScopesService,
) {}

@Feature({
  controllers: [AddressScopesController],
  providers: [AddressScopesService],
  entities: [AddressScope],
})
export class AddressScopesModule {}
