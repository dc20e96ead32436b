import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { AddressRange } from '../addresses/address-range.entity.js';
import { IpAllocation } from '../addresses/ip-allocation.entity.js';
import { resourceController } from '../resource/resource.controller.js';
import { Port } from './port.entity.js';
import { PortReconciler } from './port.reconciler.js';
import { portResource } from './port.resource.js';
import { PortsService } from './ports.service.js';

@ApiTags('ports')
@Controller('v2.0/ports')
export class PortsController extends resourceController(portResource, PortsService) {}

@Feature({
  controllers: [PortsController],
  providers: [PortsService, PortReconciler],
  entities: [Port, IpAllocation, AddressRange],
})
export class PortsModule {}
