import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { inexactFilters } from '../http/inexact-filter.js';
import { pageView } from '../http/page.js';
import { scopeDomainOf } from '../policy/caller.js';
import { Protected } from '../policy/protected.js';
import { CreateRoleBody, ListRolesQuery, UpdateRoleBody } from './role.dto.js';
import { Role } from './role.entity.js';
import { RoleRepository } from './role.repository.js';
import { roleView } from './role.view.js';
import { RolesService } from './roles.service.js';

@ApiTags('roles')
@Controller('v3/roles')
export class RolesController {
  constructor(
    private readonly service: RolesService,
    private readonly roles: RoleRepository,
  ) {}

  @Post()
  @Protected('identity:create_role')
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateRoleBody): Promise<object> {
    const role = await this.service.create(ctx, body.role);
    return { role: roleView(role, ctx.baseUrl) };
  }

  @Get()
  @Protected('identity:list_roles')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListRolesQuery): Promise<object> {
    const { name, domain_id: domainId } = query;
    const filter = { name, domainId, inexact: inexactFilters(query), within: scopeDomainOf(ctx) };
    const roles = await this.roles.list(ctx, filter, query);
    return pageView(ctx, query, ['roles', roles], roleView);
  }

  @Get(':role_id')
  @Protected('identity:get_role')
  async show(@Ctx() ctx: RequestContext, @Param('role_id') roleId: string): Promise<object> {
    return { role: roleView(await this.service.get(ctx, roleId), ctx.baseUrl) };
  }

  @Patch(':role_id')
  @Protected('identity:update_role')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('role_id') roleId: string,
    @Body() body: UpdateRoleBody,
  ): Promise<object> {
    const role = await this.service.update(ctx, roleId, body.role);
    return { role: roleView(role, ctx.baseUrl) };
  }

  @Delete(':role_id')
  @HttpCode(204)
  @Protected('identity:delete_role')
  async delete(@Ctx() ctx: RequestContext, @Param('role_id') roleId: string): Promise<void> {
    await this.service.delete(ctx, roleId);
  }
}

@Feature({
  controllers: [RolesController],
  providers: [RolesService, RoleRepository],
  entities: [Role],
})
export class RolesModule {}
