/** Public source: Load Balancer API reference, "Flavor Profiles". */
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
import { FlavorProfile, flavorProfiles } from './flavor-profile.entity.js';
import { flavors } from './flavor.entity.js';

/** Public source: octavia, `api/v2/types/flavor_profile.py`. */
const flavorProfileResource = defineBareResource({
  singular: 'flavorprofile',
  plural: 'flavorprofiles',
  attributes: {
    id: shownOnly(uuid, { about: 'Its id.' }),
    name: attribute(text(), { about: 'What administrators call it.', required: true }),
    providerName: attribute(text(), { about: 'The provider that reads it.', required: true }),
    flavorData: attribute(text(4096), {
      about: "An object of the provider's flavor capabilities, as JSON.",
      required: true,
    }),
  },
});

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

  protected async isInUse(tx: RequestContext, id: string): Promise<boolean> {
    return (await flavors.countOf(tx, [equals('flavorProfileId', id)])) > 0;
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
