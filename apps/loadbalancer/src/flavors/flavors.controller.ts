/** Public source: Load Balancer API reference, "Flavors". */
import { Controller, Injectable } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { flag, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { OfferedService } from '../providers/offered.service.js';
import { resourceController } from '../resources/resource.controller.js';
import { defineBareResource } from '../resources/resource.js';
import { Flavor, flavors } from './flavor.entity.js';

/** Public source: octavia, `api/v2/types/flavors.py`. */
const flavorResource = defineBareResource({
  singular: 'flavor',
  plural: 'flavors',
  attributes: {
    id: shownOnly(uuid, { about: 'Its id.' }),
    name: attribute(text(), { about: 'What it is called; no other is.', required: true }),
    description: attribute(orNull(text()), { about: 'What it is for.' }),
    enabled: attribute(flag, { about: 'Whether new load balancers may have it.', default: true }),
    flavorProfileId: attribute(uuid, {
      about: 'The profile that says what its load balancers are.',
      required: true,
      given: 'at-creation',
    }),
  },
});

type FlavorAttributes = (typeof flavorResource)['attributes'];

@Injectable()
export class FlavorsService extends OfferedService<Flavor, FlavorAttributes> {
  protected readonly resource = flavorResource;
  protected readonly table = flavors;
  protected readonly title = 'Flavor';
}

@ApiTags('flavors')
@Controller('v2.0/lbaas/flavors')
export class FlavorsController extends resourceController(flavorResource, FlavorsService, {
  writers: 'admin',
}) {}

@Feature({ controllers: [FlavorsController], providers: [FlavorsService], entities: [Flavor] })
export class FlavorsModule {}
