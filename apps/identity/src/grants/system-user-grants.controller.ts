import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import type { GrantIds } from './grant.js';
import { GrantsService } from './grants.service.js';
import type { NamedIds } from '../policy/policy-target.js';
import { Protected } from '../policy/protected.js';
import { roleListView } from '../roles/role.view.js';

@ApiTags('roles')
@Controller('v3/system/users/:user_id/roles')
export class SystemUserGrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @Protected('identity:list_system_grants_for_user')
  async list(@Ctx() ctx: RequestContext, @Param() ids: NamedIds): Promise<object> {
    return roleListView(await this.grants.list(ctx, ids), ctx);
  }

  @Put(':role_id')
  @HttpCode(204)
  @Protected('identity:create_system_grant_for_user')
  async create(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
    await this.grants.create(ctx, ids);
  }

  @Get(':role_id')
  @HttpCode(204)
  @Protected('identity:check_system_grant_for_user')
  async check(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
    await this.grants.check(ctx, ids);
  }

  @Delete(':role_id')
  @HttpCode(204)
  @Protected('identity:revoke_system_grant_for_user')
  async delete(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
    await this.grants.delete(ctx, ids);
  }
}
