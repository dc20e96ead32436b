import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import { Protected } from '../policy/protected.js';
import { ListRolesQuery } from './role.dto.js';
import { RoleNotFoundError } from './role.errors.js';
import { RoleRepository } from './role.repository.js';
import { roleView } from './role.view.js';

@ApiTags('roles')
@Controller('v3/roles')
export class RolesController {
  constructor(private readonly roles: RoleRepository) {}

  @Get()
  @Protected('identity:list_roles')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListRolesQuery): Promise<object> {
    const roles = await this.roles.list(ctx, query);
    return {
      roles: roles.map((role) => roleView(role, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }

  @Get(':role_id')
  @Protected('identity:get_role')
  async show(@Ctx() ctx: RequestContext, @Param('role_id') roleId: string): Promise<object> {
    const role = await this.roles.find(ctx, roleId);
    if (!role) throw new RoleNotFoundError(roleId);
    return { role: roleView(role, ctx.baseUrl) };
  }
}
