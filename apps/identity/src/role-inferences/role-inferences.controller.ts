import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import { Protected } from '../policy/protected.js';
import { RoleInferenceRepository } from './role-inference.repository.js';
import { inferencesView } from './role-inference.view.js';

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
