/** Public source: Networking API reference, "Agents". */
import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { fieldsOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { readChange } from '@cumulet/common/resources/read-body';
import {
  ApiQueries,
  bodySchemas,
  queryParameters,
} from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { Agent } from './agent.resource.js';
import { agentResource } from './agent.resource.js';
import { AgentsService } from './agents.service.js';
import { AgentsSweep } from './agents.sweep.js';

const views = viewsOf(agentResource);

@Controller('v2.0/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  @Allow('reader')
  @ApiQueries(queryParameters(agentResource))
  @Operation('List agents', views.list, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
    const asked = query as ListQuery;
    const rows = await this.agents.list(ctx, asked);
    return { agents: rows.map((row) => views.show(ctx, row, fieldsOf(asked))) };
  }

  @Get(':agent_id')
  @Allow('reader')
  @Operation('Show an agent', views.one)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('agent_id') id: string,
    @Query() query: object,
  ): Promise<object> {
    const row = await this.agents.get(ctx, id);
    return { agent: views.show(ctx, row, fieldsOf(query as ListQuery)) };
  }

  @Put(':agent_id')
  @Allow('admin')
  @ApiBody({ schema: bodySchemas(agentResource).update })
  @Operation('Update an agent', views.one)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('agent_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    const row = await this.agents.update(ctx, id, readChange(agentResource, body));
    return { agent: views.show(ctx, row) };
  }

  @Delete(':agent_id')
  @Allow('admin')
  @Operation('Delete an agent', null)
  delete(@Ctx() ctx: RequestContext, @Param('agent_id') id: string): Promise<void> {
    return this.agents.remove(ctx, id);
  }
}

@Feature({
  controllers: [AgentsController],
  providers: [AgentsService, AgentsSweep],
  entities: [Agent],
})
export class AgentsModule {}
