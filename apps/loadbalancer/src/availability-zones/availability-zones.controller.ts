/** Public source: Load Balancer API reference, "Availability Zones". */
import { Controller, Injectable } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isStorable } from '@cumulet/common/database/storable';
import { Feature } from '@cumulet/common/service/feature';
import { attribute } from '@cumulet/common/resources/attribute';
import {
  flag,
  orNull,
  Refusal,
  text,
  uuid,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { OfferedService } from '../providers/offered.service.js';
import { resourceController } from '../resources/resource.controller.js';
import { defineBareResource } from '../resources/resource.js';
import { AvailabilityZone, availabilityZones } from './availability-zone.entity.js';

/** It is a part of addresses, so there is some. */
const name: ValueType<string> = {
  ...text(),
  read: (value, path) => {
    if (value === '') throw new Refusal('it is empty');
    return text().read(value, path);
  },
};

/** Public source: octavia, `api/v2/types/availability_zones.py`. */
const availabilityZoneResource = defineBareResource({
  singular: 'availability_zone',
  plural: 'availability_zones',
  attributes: {
    name: attribute(name, {
      about: 'What it is called; no other is.',
      required: true,
      given: 'at-creation',
      property: 'id',
    }),
    description: attribute(orNull(text()), { about: 'What it is for.' }),
    enabled: attribute(flag, { about: 'Whether new load balancers may be in it.', default: true }),
    availabilityZoneProfileId: attribute(uuid, {
      about: 'The profile that says where its load balancers are.',
      required: true,
      given: 'at-creation',
    }),
  },
});

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

@ApiTags('availability zones')
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
