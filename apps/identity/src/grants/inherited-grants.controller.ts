import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import type { NamedIds } from '../policy/policy-target.js';
import { Protected } from '../policy/protected.js';
import { roleListView } from '../roles/role.view.js';
import type { GrantIds } from './grant.js';
import { GrantsService } from './grants.service.js';

/** Roles on the projects below: of a domain on all of its projects, of a project on its subtree. */
@ApiTags('roles')
@Controller([
  'v3/OS-INHERIT/projects/:project_id/users/:user_id/roles',
  'v3/OS-INHERIT/projects/:project_id/groups/:group_id/roles',
  'v3/OS-INHERIT/domains/:domain_id/users/:user_id/roles',
  'v3/OS-INHERIT/domains/:domain_id/groups/:group_id/roles',
])
export class InheritedGrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get('inherited_to_projects')
  @Protected('identity:list_grants')
  async list(@Ctx() ctx: RequestContext, @Param() ids: NamedIds): Promise<object> {
    return roleListView(await this.grants.list(ctx, ids, true), ctx);
  }

  @Put(':role_id/inherited_to_projects')
  @HttpCode(204)
  @Protected('identity:create_grant')
  async create(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
    await this.grants.create(ctx, ids, true);
  }

  @Get(':role_id/inherited_to_projects')
  @HttpCode(204)
  @Protected('identity:check_grant')
  async check(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
    await this.grants.check(ctx, ids, true);
  }

  @Delete(':role_id/inherited_to_projects')
  @HttpCode(204)
  @Protected('identity:revoke_grant')
  async delete(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
    await this.grants.delete(ctx, ids, true);
  }
}
