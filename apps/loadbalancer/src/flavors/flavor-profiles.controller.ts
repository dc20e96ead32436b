/** Public source: Load Balancer API reference, "Flavor Profiles". */
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
  FlavorProfile,
  flavorProfileResource,
  flavorProfiles,
  flavors,
} from './flavor.resource.js';

type FlavorProfileAttributes = (typeof flavorProfileResource)['attributes'];

@Injectable()
export class FlavorProfilesService extends ProfileService<FlavorProfile, FlavorProfileAttributes> {
  protected readonly resource = flavorProfileResource;
  protected readonly table = flavorProfiles;
  protected readonly title = 'Flavor profile';
  protected readonly option = 'flavor_data';
  protected readonly data = 'flavorData';

  protected capabilitiesOf({ flavor }: Provider): Capabilities {
    return flavor;
  }

  protected isInUse(tx: RequestContext, id: string): Promise<boolean> {
    return flavors.has(tx, [equals('flavorProfileId', id)]);
  }
}

const options = {
  title: 'flavor profile',
  id: 'flavor_profile_id',
  errors: [501],
  readers: 'admin' as const,
  writers: 'admin' as const,
};

@ApiTags('flavors')
@Controller('v2.0/lbaas/flavorprofiles')
export class FlavorProfilesController extends resourceController(
  flavorProfileResource,
  FlavorProfilesService,
  options,
) {}

@Feature({
  controllers: [FlavorProfilesController],
  providers: [FlavorProfilesService],
  entities: [FlavorProfile],
})
export class FlavorProfilesModule {}
