/** Public source: Networking API reference, "Port binding". */
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { propertyOf } from '@cumulet/common/resources/attribute';
import { fieldsOf, pageOf, valuesOf } from '@cumulet/common/resources/list-query';
import type { Query as ListQuery } from '@cumulet/common/resources/list-query';
import { readChange, readNew } from '@cumulet/common/resources/read-body';
import { HTTPBadRequestError } from '@cumulet/common/resources/resource.errors';
import { ApiQueries, bodySchemas } from '@cumulet/common/resources/resource.openapi';
import { attributesOf } from '@cumulet/common/resources/resource';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { PortBinding } from './port-binding.resource.js';
import { bindingResource, type ShownBinding } from './port-binding.resource.js';
import { PortBindingsService } from './port-bindings.service.js';

const views = viewsOf(bindingResource);
const schemas = bodySchemas(bindingResource);
const filters = attributesOf(bindingResource).filter(([, { filter }]) => filter !== false);

@Controller('v2.0/ports/:port_id/bindings')
export class PortBindingsController {
  constructor(private readonly bindings: PortBindingsService) {}

  @Get()
  @Allow('admin', 'service')
  @ApiQueries([...filters.map(([name]) => name), 'fields'])
  @Operation('List the bindings of a port', views.list)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('port_id') id: string,
    @Query() query: object,
  ): Promise<object> {
    const asked = query as ListQuery;
    // There are too few for pages; unknown sort keys and fields are refused all the same.
    pageOf(bindingResource, asked, ctx);
    const found = (await this.bindings.list(ctx, id)).filter((one) => isAsked(one, asked));
    return { bindings: found.map((one) => views.show(ctx, one, fieldsOf(asked))) };
  }

  @Post()
  @Allow('admin', 'service')
  @ApiBody({ schema: schemas.create })
  @Operation('Create a binding of a port', views.one, { creates: true, errors: [409] })
  async create(
    @Ctx() ctx: RequestContext,
    @Param('port_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    const { bodies, isBulk } = readNew(bindingResource, body);
    const [first] = bodies;
    if (isBulk || !first) throw new HTTPBadRequestError('A request creates one binding');
    return { binding: views.show(ctx, await this.bindings.create(ctx, id, first)) };
  }

  @Get(':host')
  @Allow('admin', 'service')
  @Operation('Show a binding of a port', views.one)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('port_id') id: string,
    @Param('host') host: string,
  ): Promise<object> {
    return { binding: views.show(ctx, await this.bindings.get(ctx, id, host)) };
  }

  @Put(':host')
  @Allow('admin', 'service')
  @ApiBody({ schema: schemas.update })
  @Operation('Update a binding of a port', views.one)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('port_id') id: string,
    @Param('host') host: string,
    @Body() body: object,
  ): Promise<object> {
    const change = readChange(bindingResource, body);
    return { binding: views.show(ctx, await this.bindings.update(ctx, id, host, change)) };
  }

  @Put(':host/activate')
  @Allow('admin', 'service')
  @Operation('Activate a binding of a port', views.one, { errors: [409] })
  async activate(
    @Ctx() ctx: RequestContext,
    @Param('port_id') id: string,
    @Param('host') host: string,
  ): Promise<object> {
    return { binding: views.show(ctx, await this.bindings.activate(ctx, id, host)) };
  }

  @Delete(':host')
  @Allow('admin', 'service')
  @Operation('Delete a binding of a port', null)
  delete(
    @Ctx() ctx: RequestContext,
    @Param('port_id') id: string,
    @Param('host') host: string,
  ): Promise<void> {
    return this.bindings.remove(ctx, id, host);
  }
}

function isAsked(binding: ShownBinding, query: ListQuery): boolean {
  return filters.every((attribute) => {
    const values = valuesOf(query, attribute[0]);
    const value = binding[propertyOf(attribute) as keyof ShownBinding];
    return values.length === 0 || values.includes(value as string);
  });
}

@Feature({
  controllers: [PortBindingsController],
  providers: [PortBindingsService],
  entities: [PortBinding],
})
export class PortBindingsModule {}
