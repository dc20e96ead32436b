/** Public source: Networking API reference, "Availability zones". */
import { Controller, Get, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { shownOnly } from '@cumulet/common/resources/attribute';
import { fieldsOf, pageOf, valuesOf } from '@cumulet/common/resources/list-query';
import type { Query as ListQuery } from '@cumulet/common/resources/list-query';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { attributesOf } from '@cumulet/common/resources/resource';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { text } from '@cumulet/common/resources/value-type';
import { defineBareResource } from '../resource/resource.js';
import { availabilityZones, type AvailabilityZone } from './zones.js';

const zoneResource = defineBareResource({
  singular: 'availability_zone',
  plural: 'availability_zones',
  attributes: {
    name: shownOnly(text(), { about: 'The name.' }),
    resource: shownOnly(text(), {
      about: 'The kind of resource that may request the zone: network or router.',
    }),
    state: shownOnly(text(), {
      about: 'available if any host in the zone is alive, otherwise unavailable.',
    }),
  },
});

const views = viewsOf(zoneResource);
const names = attributesOf(zoneResource).map(([name]) => name);

@Controller('v2.0/availability_zones')
export class AvailabilityZonesController {
  @Get()
  @Allow('reader')
  @ApiQueries([...names, 'fields'])
  @Operation('List availability zones', views.list, { errors: [400] })
  async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
    const asked = query as ListQuery;
    // There are too few for pages; unknown sort keys and fields are refused all the same.
    pageOf(zoneResource, asked, ctx);
    const found = (await availabilityZones(ctx)).filter((zone) => isAsked(zone, asked));
    return { availability_zones: found.map((zone) => views.show(ctx, zone, fieldsOf(asked))) };
  }
}

function isAsked(zone: AvailabilityZone, query: ListQuery): boolean {
  return (Object.keys(zone) as (keyof AvailabilityZone)[]).every((name) => {
    const values = valuesOf(query, name);
    return values.length === 0 || values.includes(zone[name]);
  });
}

@Feature({ controllers: [AvailabilityZonesController] })
export class AvailabilityZonesModule {}
