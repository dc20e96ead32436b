/** Public source: Load Balancer API reference, "Availability Zone Profiles". */
import { Controller, Injectable } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { equals } from '@cumulet/common/tables/condition';
import type { Capabilities } from '../providers/capabilities.js';
import { ProfileService } from '../providers/offered.service.js';
import type { Provider } from '../providers/providers.js';
import { resourceController } from '../resources/resource.controller.js';
import {
  AvailabilityZoneProfile,
  availabilityZoneProfileResource,
  availabilityZoneProfiles,
  availabilityZones,
} from './availability-zone.resource.js';

type AvailabilityZoneProfileAttributes = (typeof availabilityZoneProfileResource)['attributes'];

@Injectable()
export class AvailabilityZoneProfilesService extends ProfileService<
  AvailabilityZoneProfile,
  AvailabilityZoneProfileAttributes
> {
  protected readonly resource = availabilityZoneProfileResource;
  protected readonly table = availabilityZoneProfiles;
  protected readonly title = 'Availability Zone Profile';
  protected readonly option = 'availability_zone_data';
  protected readonly data = 'availabilityZoneData';

  protected capabilitiesOf({ zone }: Provider): Capabilities {
    return zone;
  }

  protected isInUse(tx: RequestContext, id: string): Promise<boolean> {
    return availabilityZones.has(tx, [equals('availabilityZoneProfileId', id)]);
  }
}

const options = {
  title: 'availability zone profile',
  errors: [501],
  readers: 'admin' as const,
  writers: 'admin' as const,
};

@ApiTags('availability zones')
@Controller('v2.0/lbaas/availabilityzoneprofiles')
export class AvailabilityZoneProfilesController extends resourceController(
  availabilityZoneProfileResource,
  AvailabilityZoneProfilesService,
  options,
) {}

@Feature({
  controllers: [AvailabilityZoneProfilesController],
  providers: [AvailabilityZoneProfilesService],
  entities: [AvailabilityZoneProfile],
})
export class AvailabilityZoneProfilesModule {}
