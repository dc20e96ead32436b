import { Body, Controller, Get, Param, Patch, Post, Query as QueryOf, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { valuesOf } from '@cumulet/common/resources/list-query';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import { OfStack, type StackPath } from '../http/stack-path.js';
import type { Query } from '../http/query.js';
import {
  MarkUnhealthyDto,
  ResourceMetadata,
  signalDetails,
  StackResourceAnswer,
  StackResourceList,
} from './stack-resource.answers.js';
import { RESOURCE_LIST_PARAMETERS } from './resource-list.query.js';
import { MetadataOfResources } from './resource-metadata.js';
import { ShownResourceRepository } from './shown-resource.repository.js';
import { StackResource } from '../rows/stack-resource.entity.js';
import { resourceSummary, resourceView } from './stack-resource.view.js';
import { StackResourcesService } from './stack-resources.service.js';

@Controller('stacks/:stack_name/:stack_id/resources')
export class StackResourcesController {
  constructor(private readonly resources: StackResourcesService) {}

  @Get()
  @Allow('reader')
  @ApiQueries(RESOURCE_LIST_PARAMETERS)
  @Operation('List the resources of a stack', StackResourceList)
  async list(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @QueryOf() query: object,
  ): Promise<object> {
    const shown = await this.resources.list(ctx, path, query as Query);
    return {
      resources: shown.map(({ resource, attributes }) =>
        attributes ? resourceView(ctx, resource, attributes) : resourceSummary(ctx, resource),
      ),
    };
  }

  @Get(':resource_name')
  @Allow('reader')
  @ApiQueries(['with_attr'])
  @Operation('Show a resource of a stack', StackResourceAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('resource_name') resourceName: string,
    @QueryOf() query: object,
  ): Promise<object> {
    const names = valuesOf(query as Query, 'with_attr');
    const { resource, attributes = {} } = await this.resources.show(ctx, path, resourceName, names);
    return { resource: resourceView(ctx, resource, attributes) };
  }

  @Patch(':resource_name')
  @Allow('member')
  @Operation('Mark a resource of a stack as unhealthy', null, { status: 200, errors: [409] })
  async mark(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('resource_name') resource: string,
    @Body() body: MarkUnhealthyDto,
  ): Promise<void> {
    await this.resources.mark(ctx, path, resource, body);
  }

  @Get(':resource_name/metadata')
  @Allow('reader')
  @Operation("Show a resource's metadata", ResourceMetadata)
  async metadata(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('resource_name') resource: string,
  ): Promise<object> {
    return { metadata: await this.resources.metadata(ctx, path, resource) };
  }

  @Post(':resource_name/signal')
  @Allow('member')
  @RouteConfig({ takesAnyType: true })
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: true } })
  @Operation('Send a signal to a resource', null, { status: 200, creates: false, errors: [409] })
  async signal(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('resource_name') resource: string,
    @Req() { body }: FastifyRequest,
  ): Promise<void> {
    await this.resources.signal(ctx, path, resource, signalDetails(body));
  }
}

@Feature({
  controllers: [StackResourcesController],
  providers: [MetadataOfResources, ShownResourceRepository, StackResourcesService],
  entities: [StackResource],
})
export class StackResourcesModule {}
