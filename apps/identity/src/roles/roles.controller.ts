import { Controller } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { crudController } from '../resource/crud.controller.js';
import { CreateRoleDto, ListRolesQuery, Role, RoleView } from './role.resource.js';
import { RoleAssignment } from './role-assignment.entity.js';
import { RoleAssignmentsController } from './role-assignments.controller.js';
import { RolesService } from './roles.service.js';

@Controller('v3/roles')
export class RolesController extends crudController({
  kind: 'role',
  service: RolesService,
  query: ListRolesQuery,
  create: CreateRoleDto,
  view: RoleView,
  errors: { create: [404, 409], update: [409], delete: [409] },
}) {}

@Feature({
  controllers: [RolesController, RoleAssignmentsController],
  providers: [RolesService],
  entities: [Role, RoleAssignment],
})
export class RolesModule {}
