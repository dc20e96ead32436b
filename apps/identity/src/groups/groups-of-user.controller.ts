import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import { UsersService } from '../users/users.service.js';
import { groupFilter, ListGroupsOfUserQuery } from './group.dto.js';
import { groupOfUserView } from './group.view.js';
import { GroupsService } from './groups.service.js';

@ApiTags('users')
@Controller('v3/users/:user_id/groups')
export class GroupsOfUserController {
  constructor(
    private readonly users: UsersService,
    private readonly groups: GroupsService,
  ) {}

  @Get()
  @Protected('identity:list_groups_for_user')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Query() query: ListGroupsOfUserQuery,
  ): Promise<object> {
    const user = await this.users.get(ctx, userId);
    const filter = { ...groupFilter(query), userId: user.id };
    const groups = await this.groups.list(ctx, filter, query);
    return pageView(ctx, query, ['groups', groups], groupOfUserView);
  }
}
