/** Public source: Load Balancer API reference, "Providers". */
import { Controller, Get, Param, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { shownOnly } from '@cumulet/common/resources/attribute';
import { fieldsOf, valuesOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { text } from '@cumulet/common/resources/value-type';
import { Feature } from '@cumulet/common/service/feature';
import { defineBareResource } from '../resources/resource.js';
import type { Capabilities } from './capabilities.js';
import { Providers, OvnOffer } from './providers.js';

const viewsBy = (singular: string, plural: string, about: string) =>
  viewsOf(
    defineBareResource({
      singular,
      plural,
      attributes: {
        name: shownOnly(text(), { about: 'The name.' }),
        description: shownOnly(text(), { about }),
      },
    }),
  );

const providerViews = viewsBy('provider', 'providers', 'The description.');
const flavorViews = viewsBy('flavor_capability', 'flavor_capabilities', 'The description.');
const zoneViews = viewsBy(
  'availability_zone_capability',
  'availability_zone_capabilities',
  'The description.',
);

@Controller('v2.0/lbaas/providers')
export class ProvidersController {
  constructor(private readonly providers: Providers) {}

  @Get()
  @Allow('reader')
  @ApiQueries(['fields'])
  @Operation('List providers', providerViews.list)
  async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
    const fields = fieldsOf(query as ListQuery);
    const all = await this.providers.all(ctx);
    return { providers: all.map((one) => providerViews.show(ctx, one, fields)) };
  }

  @Get(':provider/flavor_capabilities')
  @Allow('admin')
  @ApiQueries(['name', 'description', 'fields'])
  @Operation("Show what a provider's flavor profiles can say", flavorViews.list)
  async flavor(
    @Ctx() ctx: RequestContext,
    @Param('provider') name: string,
    @Query() query: object,
  ): Promise<object> {
    const { flavor } = await this.providers.get(ctx, name);
    return { flavor_capabilities: asked(ctx, flavorViews, flavor, query as ListQuery) };
  }

  @Get(':provider/availability_zone_capabilities')
  @Allow('admin')
  @ApiQueries(['name', 'description', 'fields'])
  @Operation("Show what a provider's availability zone profiles can say", zoneViews.list)
  async zone(
    @Ctx() ctx: RequestContext,
    @Param('provider') name: string,
    @Query() query: object,
  ): Promise<object> {
    const { zone } = await this.providers.get(ctx, name);
    return { availability_zone_capabilities: asked(ctx, zoneViews, zone, query as ListQuery) };
  }
}

function asked(
  ctx: RequestContext,
  views: typeof flavorViews,
  capabilities: Capabilities,
  query: ListQuery,
): object[] {
  const isAsked = (parameter: string, value: string): boolean => {
    const values = valuesOf(query, parameter);
    return values.length === 0 || values.includes(value);
  };
  return Object.entries(capabilities)
    .map(([name, { about }]) => ({ name, description: about }))
    .filter((one) => isAsked('name', one.name) && isAsked('description', one.description))
    .map((one) => views.show(ctx, one, fieldsOf(query)));
}

@Feature({ controllers: [ProvidersController], providers: [OvnOffer, Providers] })
export class ProvidersModule {}
