import { Controller, Get, Inject, Optional, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { propertyOf } from '@cumulet/common/resources/attribute';
import { fieldsOf, pageOf, valuesOf } from '@cumulet/common/resources/list-query';
import type { Query as ListQuery } from '@cumulet/common/resources/list-query';
import { attributesOf } from '@cumulet/common/resources/resource';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import type { NetworkConfig } from '../config.js';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import {
  serviceProviderResource as resource,
  serviceProviders,
  type ServiceProvider,
} from './service-provider.resource.js';

const views = viewsOf(resource);
const names = attributesOf(resource).map(([name]) => name);

/** Public source: Networking API reference, "Service providers". */
@Controller('v2.0/service-providers')
export class ServiceProvidersController {
  private readonly all: readonly ServiceProvider[];

  constructor(
    @Inject(CONFIG) { dataPlane: configured }: NetworkConfig,
    @Optional() @Inject(DATA_PLANE) dataPlane?: DataPlane,
  ) {
    this.all = serviceProviders(dataPlane, configured);
  }

  @Get()
  @Allow('reader')
  @ApiQueries([...names, 'fields'])
  @Operation('List service providers', views.list, { errors: [400] })
  list(@Ctx() ctx: RequestContext, @Query() query: object): object {
    const asked = query as ListQuery;
    // There are too few for pages; unknown sort keys and fields are refused all the same.
    pageOf(resource, asked, ctx);
    const found = this.all.filter((one) => isAsked(one, asked));
    return { service_providers: found.map((one) => views.show(ctx, one, fieldsOf(asked))) };
  }
}

function isAsked(provider: ServiceProvider, query: ListQuery): boolean {
  return attributesOf(resource).every((attribute) => {
    const [name, { type }] = attribute;
    const value = provider[propertyOf(attribute) as keyof ServiceProvider];
    const values = valuesOf(query, name);
    return values.length === 0 || values.some((one) => type.fromText(one) === value);
  });
}

@Feature({ controllers: [ServiceProvidersController] })
export class ServiceProvidersModule {}
