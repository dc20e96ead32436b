/** Public source: Load Balancer API reference, "Availability Zone Profiles". */
import { Controller, Injectable } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { equals } from '@cumulet/common/tables/condition';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { text, uuid } from '@cumulet/common/resources/value-type';
import type { Capabilities } from '../providers/capabilities.js';
import { ProfileService } from '../providers/offered.service.js';
import type { Provider } from '../providers/providers.js';
import { resourceController } from '../resources/resource.controller.js';
import { defineBareResource } from '../resources/resource.js';
import {
  AvailabilityZoneProfile,
  availabilityZoneProfiles,
} from './availability-zone-profile.entity.js';
import { availabilityZones } from './availability-zone.entity.js';

/** Public source: octavia, `api/v2/types/availability_zone_profile.py`. */
const availabilityZoneProfileResource = defineBareResource({
  singular: 'availability_zone_profile',
  plural: 'availability_zone_profiles',
  attributes: {
    id: shownOnly(uuid, { about: 'Its id.' }),
    name: attribute(text(), { about: 'What administrators call it.', required: true }),
    providerName: attribute(text(), { about: 'The provider that reads it.', required: true }),
    availabilityZoneData: attribute(text(4096), {
      about: "An object of the provider's availability zone capabilities, as JSON.",
      required: true,
    }),
  },
});

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

  protected async isInUse(tx: RequestContext, id: string): Promise<boolean> {
    return (await availabilityZones.countOf(tx, [equals('availabilityZoneProfileId', id)])) > 0;
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
