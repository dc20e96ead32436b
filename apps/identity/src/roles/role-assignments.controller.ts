import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { ProtectedInHandler } from '../policy/protected.js';
import { listedUnder, listLinks } from '../resource/resource.view.js';
import { ListRoleAssignmentsQuery } from './role-assignment.dto.js';
import { RoleAssignmentView, roleAssignmentView } from './role-assignment.view.js';
import { listRoleAssignments } from './role-assignments.service.js';
import { RoleAssignment } from './role-assignment.entity.js';

@ApiTags('roles')
@Controller('v3/role_assignments')
export class RoleAssignmentsController {
  @Get()
  @ProtectedInHandler('identity:list_role_assignments')
  @Operation('List role assignments', listedUnder('role_assignments', RoleAssignmentView), {
    errors: [404],
  })
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ListRoleAssignmentsQuery,
  ): Promise<object> {
    const { include_names: withNames = false } = query;
    const assignments = await listRoleAssignments(ctx, query);
    return {
      role_assignments: assignments.map((one) => roleAssignmentView(one, ctx.baseUrl, withNames)),
      links: listLinks(ctx),
    };
  }
}

@Feature({
  controllers: [RoleAssignmentsController],
  entities: [RoleAssignment],
})
export class RoleAssignmentsModule {}
