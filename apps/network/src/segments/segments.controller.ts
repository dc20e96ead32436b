import { Body, Controller, Delete, Get, Headers, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { fieldsOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { pageLinks } from '@cumulet/common/resources/page-links';
import { readChange, readNew } from '@cumulet/common/resources/read-body';
import {
  ApiQueries,
  bodySchemas,
  queryParameters,
} from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { revisionOf } from '../resource/revision.js';
import { segmentResource as resource } from './segment.resource.js';
import { SegmentsService } from './segments.service.js';

const views = viewsOf(resource);
const schemas = bodySchemas(resource);

/** Public source: Networking API reference, "Segments"; neutron, `conf/policies/segment.py`. */
@Controller('v2.0/segments')
export class SegmentsController {
  constructor(private readonly service: SegmentsService) {}

  @Get()
  @Allow('admin')
  @ApiQueries(queryParameters(resource))
  @Operation('List segments', views.list, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
    const asked = query as ListQuery;
    const rows = await this.service.list(ctx, asked);
    const links = pageLinks(ctx, asked, rows);
    return {
      segments: rows.map((row) => views.show(ctx, row, fieldsOf(asked))),
      ...(links.length > 0 ? { segments_links: links } : {}),
    };
  }

  @Post()
  @Allow('admin')
  @ApiBody({ schema: schemas.create })
  @Operation('Create a second segment of a network', views.one, {
    creates: true,
    errors: [404, 501],
  })
  create(@Ctx() ctx: RequestContext, @Body() body: object): Promise<never> {
    return this.service.create(ctx, readNew(resource, body).bodies);
  }

  @Get(':segment_id')
  @Allow('admin')
  @Operation('Show a segment', views.one)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('segment_id') id: string,
    @Query() query: object,
  ): Promise<object> {
    const row = await this.service.get(ctx, id);
    return { segment: views.show(ctx, row, fieldsOf(query as ListQuery)) };
  }

  @Put(':segment_id')
  @Allow('admin')
  @ApiBody({ schema: schemas.update })
  @Operation('Update a segment', views.one, { errors: [412] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('segment_id') id: string,
    @Body() body: object,
    @Headers('if-match') condition?: string,
  ): Promise<object> {
    const change = readChange(resource, body);
    const row = await this.service.update(ctx, id, change, revisionOf(condition));
    return { segment: views.show(ctx, row) };
  }

  @Delete(':segment_id')
  @Allow('admin')
  @Operation('Delete a segment of several', null, { errors: [409] })
  remove(@Ctx() ctx: RequestContext, @Param('segment_id') id: string): Promise<void> {
    return this.service.remove(ctx, id);
  }
}

@Feature({ controllers: [SegmentsController], providers: [SegmentsService] })
export class SegmentsModule {}
