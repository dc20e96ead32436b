import { Controller, Get, Param, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { nextLink } from '../../http/pages.js';
import { versionOf } from '../../versions/microversions.js';
import {
  InstanceAction,
  InstanceActionDetailView,
  instanceActionDetailView,
  InstanceActionList,
  instanceActionView,
  ListInstanceActionsQuery,
} from './instance-action.resource.js';
import { InstanceActionsService } from './instance-actions.service.js';

@Controller('servers/:server_id/os-instance-actions')
export class InstanceActionsController {
  constructor(private readonly actions: InstanceActionsService) {}

  @Get()
  @Allow('reader')
  @Operation('List the actions on a server', InstanceActionList)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Query() query: ListInstanceActionsQuery,
  ): Promise<object> {
    const server = await this.actions.serverOf(ctx, id);
    const { rows, more } = await this.actions.page(ctx, server.id, query);
    const last = more && versionOf(ctx).atLeast(58) ? rows.at(-1) : undefined;
    return {
      instanceActions: rows.map(instanceActionView(ctx)),
      ...nextLink(ctx, 'links', last?.requestId),
    };
  }

  @Get(':request_id')
  @Allow('reader')
  @Operation('Show an action on a server', shownUnder('instanceAction', InstanceActionDetailView))
  async show(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('request_id') requestId: string,
  ): Promise<object> {
    const server = await this.actions.serverOf(ctx, id);
    const action = await this.actions.show(ctx, server.id, requestId);
    return { instanceAction: instanceActionDetailView(ctx, action, server.projectId) };
  }
}

@Feature({
  controllers: [InstanceActionsController],
  providers: [InstanceActionsService],
  entities: [InstanceAction],
})
export class InstanceActionsModule {}
