/** The routes of grants, also of those that the projects below a project or a domain inherit. */
import { Controller, Delete, Get, Injectable, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import type { Operation as PolicyOperation } from '../policy/policy.js';
import type { NamedIds } from '../policy/policy-target.js';
import { Protected } from '../policy/protected.js';
import { listedUnder, pageView } from '../resource/resource.view.js';
import { RoleView, roleView } from '../roles/role.resource.js';
import { GrantsService, type GrantIds } from './grants.service.js';

interface GrantRoutes {
  /** In the names of the policy: `create_grant`. */
  readonly grant: 'grant' | 'system_grant_for_user' | 'system_grant_for_group';
  /** The end of summaries. */
  readonly where: string;
  readonly inherited?: 'inherited_to_projects';
}

function grantsController({ grant, where, inherited }: GrantRoutes) {
  const isInherited = inherited !== undefined;
  const role = isInherited ? `:role_id/${inherited}` : ':role_id';

  @Injectable()
  abstract class Grants {
    constructor(readonly service: GrantsService) {}

    @Get(inherited ?? '')
    @Protected(`identity:list_${grant.replace('grant', 'grants')}` as PolicyOperation)
    @Operation(`List the roles ${where}`, listedUnder('roles', RoleView))
    async list(@Ctx() ctx: RequestContext, @Param() ids: NamedIds): Promise<object> {
      const rows = await this.service.list(ctx, ids, isInherited);
      return pageView(ctx, 'roles', { rows, more: false }, roleView);
    }

    @Put(role)
    @Protected(`identity:create_${grant}`)
    @Operation(`Grant a role ${where}`, null)
    create(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
      return this.service.create(ctx, ids, isInherited);
    }

    @Get(role)
    @Protected(`identity:check_${grant}`)
    @Operation(`Check a role ${where}`, null)
    check(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
      return this.service.check(ctx, ids, isInherited);
    }

    @Delete(role)
    @Protected(`identity:revoke_${grant}`)
    @Operation(`Take back a role ${where}`, null)
    delete(@Ctx() ctx: RequestContext, @Param() ids: GrantIds): Promise<void> {
      return this.service.delete(ctx, ids, isInherited);
    }
  }
  return Grants;
}

function pathsBelow(prefix: string): string[] {
  return ['projects/:project_id', 'domains/:domain_id'].flatMap((target) =>
    ['users/:user_id', 'groups/:group_id'].map((actor) => `${prefix}/${target}/${actor}/roles`),
  );
}

@ApiTags('roles')
@Controller(pathsBelow('v3'))
export class GrantsController extends grantsController({
  grant: 'grant',
  where: 'of a user or a group on a project or a domain',
}) {}

/** Roles that the projects below inherit: all projects of a domain, or the subtree of a project. */
@ApiTags('roles')
@Controller(pathsBelow('v3/OS-INHERIT'))
export class InheritedGrantsController extends grantsController({
  grant: 'grant',
  where: 'that projects inherit',
  inherited: 'inherited_to_projects',
}) {}

@ApiTags('roles')
@Controller('v3/system/users/:user_id/roles')
export class SystemUserGrantsController extends grantsController({
  grant: 'system_grant_for_user',
  where: 'of a user on the system',
}) {}

@ApiTags('roles')
@Controller('v3/system/groups/:group_id/roles')
export class SystemGroupGrantsController extends grantsController({
  grant: 'system_grant_for_group',
  where: 'of a group on the system',
}) {}

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
