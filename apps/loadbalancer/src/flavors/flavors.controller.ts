/** Public source: Load Balancer API reference, "Flavors". */
import { Controller, Injectable } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { OfferedService } from '../providers/offered.service.js';
import { resourceController } from '../resources/resource.controller.js';
import { Flavor, flavorResource, flavors } from './flavor.resource.js';

type FlavorAttributes = (typeof flavorResource)['attributes'];

@Injectable()
export class FlavorsService extends OfferedService<Flavor, FlavorAttributes> {
  protected readonly resource = flavorResource;
  protected readonly table = flavors;
  protected readonly title = 'Flavor';
}

@Controller('v2.0/lbaas/flavors')
export class FlavorsController extends resourceController(flavorResource, FlavorsService, {
  writers: 'admin',
}) {}

@Feature({ controllers: [FlavorsController], providers: [FlavorsService], entities: [Flavor] })
export class FlavorsModule {}
