/** Public source: Load Balancer API reference, "Availability Zones". */
import { Controller, Injectable } from '@nestjs/common';
import { isStorable } from '@cumulet/common/database/storable';
import { Feature } from '@cumulet/common/service/feature';
import { OfferedService } from '../providers/offered.service.js';
import { resourceController } from '../resources/resource.controller.js';
import {
  AvailabilityZone,
  availabilityZoneResource,
  availabilityZones,
} from './availability-zone.resource.js';

type AvailabilityZoneAttributes = (typeof availabilityZoneResource)['attributes'];

@Injectable()
export class AvailabilityZonesService extends OfferedService<
  AvailabilityZone,
  AvailabilityZoneAttributes
> {
  protected readonly resource = availabilityZoneResource;
  protected readonly table = availabilityZones;
  protected readonly title = 'Availability Zone';

  protected override isId(name: string): boolean {
    return isStorable(name);
  }
}

@Controller('v2.0/lbaas/availabilityzones')
export class AvailabilityZonesController extends resourceController(
  availabilityZoneResource,
  AvailabilityZonesService,
  { title: 'availability zone', id: 'availability_zone_name', writers: 'admin' },
) {}

@Feature({
  controllers: [AvailabilityZonesController],
  providers: [AvailabilityZonesService],
  entities: [AvailabilityZone],
})
export class AvailabilityZonesModule {}
