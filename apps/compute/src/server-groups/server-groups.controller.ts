import { Body, Controller, Delete, Get, Header, Param, Post, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import {
  CreateServerGroupBody,
  ListServerGroupsQuery,
  ServerGroup,
  ServerGroupList,
  ServerGroupMember,
  ServerGroupView,
} from './server-group.resource.js';
import { ServerGroupsService } from './server-groups.service.js';

const Answer = shownUnder('server_group', ServerGroupView);

@Controller('os-server-groups')
export class ServerGroupsController {
  constructor(private readonly groups: ServerGroupsService) {}

  @Get()
  @Allow('reader')
  @Operation('List server groups', ServerGroupList)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListServerGroupsQuery): Promise<object> {
    const rows = await this.groups.list(ctx, query);
    return { server_groups: rows.map(viewIn(ctx, ServerGroupView)) };
  }

  @Post()
  @Allow('member')
  @Operation('Create a server group', Answer, { status: 200, creates: true, errors: [409] })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { server_group: group }: CreateServerGroupBody,
  ): Promise<object> {
    return { server_group: viewIn(ctx, ServerGroupView)(await this.groups.create(ctx, group)) };
  }

  @Get(':server_group_id')
  @Allow('reader')
  @Operation('Show a server group', Answer)
  async show(@Ctx() ctx: RequestContext, @Param('server_group_id') id: string): Promise<object> {
    return { server_group: viewIn(ctx, ServerGroupView)(await this.groups.get(ctx, id)) };
  }

  @Delete(':server_group_id')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete a server group', null)
  async delete(@Ctx() ctx: RequestContext, @Param('server_group_id') id: string): Promise<void> {
    await this.groups.delete(ctx, id);
  }
}

@Feature({
  controllers: [ServerGroupsController],
  providers: [ServerGroupsService],
  entities: [ServerGroup, ServerGroupMember],
})
export class ServerGroupsModule {}
