import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { collectionLinks } from '../http/collection.view.js';
import { Protected } from '../policy/protected.js';
import { ImpliedRolesController } from './implied-roles.controller.js';
import { RoleInference } from './role-inference.entity.js';
import { RoleInferenceRepository } from './role-inference.repository.js';
import { inferencesView } from './role-inference.view.js';
import { RoleInferencesService } from './role-inferences.service.js';

@ApiTags('roles')
@Controller('v3/role_inferences')
export class RoleInferencesController {
  constructor(private readonly inferences: RoleInferenceRepository) {}

  @Get()
  @Protected('identity:list_role_inference_rules')
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    const inferences = await this.inferences.list(ctx);
    return {
      role_inferences: inferences.map((one) => inferencesView(one, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }
}

@Feature({
  controllers: [RoleInferencesController, ImpliedRolesController],
  providers: [RoleInferencesService, RoleInferenceRepository],
  entities: [RoleInference],
})
export class RoleInferencesModule {}
