import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { crudController } from '../resource/crud.controller.js';
import { CreateRoleDto, ListRolesQuery, RoleView } from './role.dto.js';
import { Role } from './role.entity.js';
import { RolesService } from './roles.service.js';

const Crud = crudController<Role, CreateRoleDto>({
  kind: 'role',
  query: ListRolesQuery,
  create: CreateRoleDto,
  view: RoleView,
  errors: { create: [404, 409], update: [409], delete: [409] },
});

@ApiTags('roles')
@Controller('v3/roles')
export class RolesController extends Crud {
  constructor(override readonly service: RolesService) {
    super(service);
  }
}

@Feature({ controllers: [RolesController], providers: [RolesService], entities: [Role] })
export class RolesModule {}
