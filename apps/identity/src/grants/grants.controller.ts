import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import type { NamedIds } from '../policy/policy-target.js';
import { Protected } from '../policy/protected.js';
import { roleListView } from '../roles/role.view.js';
import type { GrantIds } from './grant.js';
import { GrantsService } from './grants.service.js';
import { InheritedGrantsController } from './inherited-grants.controller.js';
import { SystemGroupGrantsController } from './system-group-grants.controller.js';
import { SystemUserGrantsController } from './system-user-grants.controller.js';

@ApiTags('roles')
@Controller([
  'v3/projects/:project_id/users/:user_id/roles',
  'v3/projects/:project_id/groups/:group_id/roles',
  'v3/domains/:domain_id/users/:user_id/roles',
  'v3/domains/:domain_id/groups/:group_id/roles',
])
export class GrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @Protected('identity:list_grants')
  async list(@Ctx() ctx: RequestContext, @Param() ids: NamedIds): Promise<object> {
    return roleListView(await this.grants.list(ctx, ids), ctx);
  }

  @Put(':role_id')
  @HttpCode(204)
  @Protected('identity:create_grant')
  async create(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
    await this.grants.create(ctx, ids);
  }

  @Get(':role_id')
  @HttpCode(204)
  @Protected('identity:check_grant')
  async check(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
    await this.grants.check(ctx, ids);
  }

  @Delete(':role_id')
  @HttpCode(204)
  @Protected('identity:revoke_grant')
  async delete(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
    await this.grants.delete(ctx, ids);
  }
}

@Feature({
  controllers: [
    GrantsController,
    InheritedGrantsController,
    SystemGroupGrantsController,
    SystemUserGrantsController,
  ],
  providers: [GrantsService],
})
export class GrantsModule {}
