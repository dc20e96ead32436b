/** Public source: Load Balancer API reference, "Amphorae". */
import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { fieldsOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { pageLinks } from '@cumulet/common/resources/page-links';
import { ApiQueries, queryParameters } from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { Feature } from '@cumulet/common/service/feature';
import { octaviaQuery } from '../resources/octavia-query.js';
import { amphoraResource } from '../tree/instance.resource.js';
import { amphoraStatistics, AmphoraStatisticsList, AmphoraeService } from './amphorae.service.js';

const views = viewsOf(amphoraResource);

@Controller('v2.0/octavia/amphorae')
export class AmphoraeController {
  constructor(private readonly amphorae: AmphoraeService) {}

  @Get()
  @Allow('admin')
  @ApiQueries([...queryParameters(amphoraResource), 'sort'])
  @Operation('List amphorae', views.list)
  async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
    const asked = octaviaQuery(amphoraResource, query as ListQuery);
    const { rows } = await this.amphorae.list(ctx, asked);
    const links = pageLinks(ctx, asked, rows);
    return {
      amphorae: rows.map((row) => views.show(ctx, row, fieldsOf(asked))),
      ...(links.length > 0 ? { amphorae_links: links } : {}),
    };
  }

  @Get(':amphora_id')
  @Allow('admin')
  @ApiQueries(['fields'])
  @Operation('Show an amphora', views.one)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('amphora_id') id: string,
    @Query() query: object,
  ): Promise<object> {
    const row = await this.amphorae.get(ctx, id);
    return { amphora: views.show(ctx, row, fieldsOf(query as ListQuery)) };
  }

  @Get(':amphora_id/stats')
  @Allow('admin')
  @Operation('Show the statistics of an amphora', AmphoraStatisticsList)
  async stats(@Ctx() ctx: RequestContext, @Param('amphora_id') id: string): Promise<object> {
    return { amphora_stats: await amphoraStatistics(ctx, await this.amphorae.get(ctx, id)) };
  }

  @Put(':amphora_id/failover')
  @Allow('admin')
  @Operation('Fail over an amphora', null, { status: 202, errors: [409] })
  failover(@Ctx() ctx: RequestContext, @Param('amphora_id') id: string): Promise<void> {
    return this.amphorae.failover(ctx, id);
  }

  /** An instance has no agent with settings of its own: those of its host's always hold for it. */
  @Put(':amphora_id/config')
  @Allow('admin')
  @Operation('Configure the agent of an amphora', null, {
    status: 202,
    description: 'Changes nothing: its agent is that of its host, which has its settings.',
  })
  async config(@Ctx() ctx: RequestContext, @Param('amphora_id') id: string): Promise<void> {
    await this.amphorae.get(ctx, id);
  }

  @Delete(':amphora_id')
  @Allow('admin')
  @Operation('Delete an amphora', null, {
    errors: [409],
    description: 'Always refused: there is none that no load balancer needs.',
  })
  remove(@Ctx() ctx: RequestContext, @Param('amphora_id') id: string): Promise<void> {
    return this.amphorae.remove(ctx, id);
  }
}

@Feature({
  controllers: [AmphoraeController],
  providers: [AmphoraeService],
})
export class AmphoraeModule {}
