import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { nextOf } from '../http/paging.js';
import { changesOf } from '../patches/json-patch.js';
import { PATCH_SCHEMA } from '../patches/patch-schema.js';
import {
  ClusterTemplate,
  ClusterTemplateDto,
  ClusterTemplateList,
  clusterTemplateView,
  ClusterTemplateView,
  ListClusterTemplatesQuery,
} from './cluster-template.resource.js';
import { ClusterTemplatesService } from './cluster-templates.service.js';

@Controller('v1/clustertemplates')
export class ClusterTemplatesController {
  constructor(private readonly templates: ClusterTemplatesService) {}

  @Get()
  @Allow('reader')
  @Operation('List cluster templates', ClusterTemplateList, { errors: [404] })
  list(@Ctx() ctx: RequestContext, @Query() query: ListClusterTemplatesQuery): Promise<object> {
    return this.#page(ctx, query, 'clustertemplates');
  }

  /** In Magnum too, the plain list already has all details. */
  @Get('detail')
  @Allow('reader')
  @Operation('List cluster templates with details', ClusterTemplateList, { errors: [404] })
  detail(@Ctx() ctx: RequestContext, @Query() query: ListClusterTemplatesQuery): Promise<object> {
    return this.#page(ctx, query, 'clustertemplates/detail');
  }

  @Post()
  @Allow('member')
  @Operation('Create a cluster template', ClusterTemplateView, { creates: true, errors: [409] })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: ClusterTemplateDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const template = await this.templates.create(ctx, body);
    void reply.header('Location', `${ctx.baseUrl}/v1/clustertemplates/${template.id}`);
    return clusterTemplateView(ctx)(template);
  }

  @Get(':clustertemplate_ident')
  @Allow('reader')
  @Operation('Show a cluster template', ClusterTemplateView, { errors: [409] })
  async show(
    @Ctx() ctx: RequestContext,
    @Param('clustertemplate_ident') ident: string,
  ): Promise<object> {
    return clusterTemplateView(ctx)(await this.templates.get(ctx, ident));
  }

  @Patch(':clustertemplate_ident')
  @Allow('member')
  @ApiBody({ schema: PATCH_SCHEMA })
  @Operation('Update a cluster template', ClusterTemplateView, { errors: [409] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('clustertemplate_ident') ident: string,
    @Req() { body }: FastifyRequest,
  ): Promise<object> {
    return clusterTemplateView(ctx)(await this.templates.update(ctx, ident, changesOf(body)));
  }

  @Delete(':clustertemplate_ident')
  @Allow('member')
  @Operation('Delete a cluster template', null, { errors: [409] })
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('clustertemplate_ident') ident: string,
  ): Promise<void> {
    await this.templates.delete(ctx, ident);
  }

  async #page(
    ctx: RequestContext,
    query: ListClusterTemplatesQuery,
    path: string,
  ): Promise<object> {
    const page = await this.templates.list(ctx, query);
    return {
      clustertemplates: page.rows.map(clusterTemplateView(ctx)),
      ...nextOf(ctx, path, query, page),
    };
  }
}

@Feature({
  controllers: [ClusterTemplatesController],
  providers: [ClusterTemplatesService],
  entities: [ClusterTemplate],
})
export class ClusterTemplatesModule {}
