import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resource/resource.controller.js';
import { FloatingIp } from './floatingip.entity.js';
import { floatingIpResource } from './floatingip.resource.js';
import { FloatingIpsService } from './floatingips.service.js';
import { networkUsers } from '../networks/network-users.js';
import { portUsers } from '../ports/port-users.js';
import { deleteUnused, isFloatingPort, releaseAddresses, releasePort } from './associations.js';

@ApiTags('floating IPs')
@Controller('v2.0/floatingips')
export class FloatingIpsController extends resourceController(
  floatingIpResource,
  FloatingIpsService,
) {}

networkUsers.push({ closed: deleteUnused });
portUsers.push({ owns: isFloatingPort, release: releasePort, releaseAddresses });

@Feature({
  controllers: [FloatingIpsController],
  providers: [FloatingIpsService],
  entities: [FloatingIp],
})
export class FloatingIpsModule {}
