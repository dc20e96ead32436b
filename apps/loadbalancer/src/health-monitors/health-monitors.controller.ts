import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { resourceController } from '../resources/resource.controller.js';
import { healthMonitorResource } from '../tree/health-monitor.resource.js';
import { HealthMonitorsService } from './health-monitors.service.js';

@ApiTags('HealthMonitors')
@Controller('v2.0/lbaas/healthmonitors')
export class HealthMonitorsController extends resourceController(
  healthMonitorResource,
  HealthMonitorsService,
  { title: 'health monitor', errors: [501] },
) {}

@Feature({
  controllers: [HealthMonitorsController],
  providers: [HealthMonitorsService],
})
export class HealthMonitorsModule {}
