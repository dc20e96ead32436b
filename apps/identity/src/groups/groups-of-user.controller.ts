import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import { scopeDomainOf } from '../policy/personas.js';
import { Protected } from '../policy/protected.js';
import { UsersService } from '../users/users.service.js';
import { ListGroupsOfUserQuery } from './group.dto.js';
import { GroupRepository } from './group.repository.js';
import { groupOfUserView } from './group.view.js';

@ApiTags('users')
@Controller('v3/users/:user_id/groups')
export class GroupsOfUserController {
  constructor(
    private readonly users: UsersService,
    private readonly groups: GroupRepository,
  ) {}

  @Get()
  @Protected('identity:list_groups_for_user')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Query() { name }: ListGroupsOfUserQuery,
  ): Promise<object> {
    const user = await this.users.get(ctx, userId);
    const within = scopeDomainOf(ctx);
    const groups = await this.groups.listOfUser(ctx, user.id, { name, within });
    return {
      groups: groups.map((group) => groupOfUserView(group, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }
}
