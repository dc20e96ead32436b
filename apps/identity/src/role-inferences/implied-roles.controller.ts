import { Controller, Delete, Get, Head, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Protected } from '../policy/protected.js';
import { roleUrl } from '../roles/role.view.js';
import { inferencesView, inferenceView } from './role-inference.view.js';
import { RoleInferencesService } from './role-inferences.service.js';

@ApiTags('roles')
@Controller('v3/roles/:prior_role_id/implies')
export class ImpliedRolesController {
  constructor(private readonly inferences: RoleInferencesService) {}

  @Get()
  @Protected('identity:list_implied_roles')
  async list(@Ctx() ctx: RequestContext, @Param('prior_role_id') prior: string): Promise<object> {
    const inferences = await this.inferences.listOf(ctx, prior);
    return {
      role_inference: inferencesView(inferences, ctx.baseUrl),
      links: { self: `${roleUrl(prior, ctx.baseUrl)}/implies` },
    };
  }

  @Put(':implied_role_id')
  @HttpCode(201)
  @Protected('identity:create_implied_role')
  async create(
    @Ctx() ctx: RequestContext,
    @Param('prior_role_id') prior: string,
    @Param('implied_role_id') implied: string,
  ): Promise<object> {
    const inference = await this.inferences.create(ctx, { prior, implied });
    return inferenceView(inference.prior, inference.implied, ctx.baseUrl);
  }

  /** Its status is 204, that of the GET is 200: so says Keystone. */
  @Head(':implied_role_id')
  @HttpCode(204)
  @Protected('identity:check_implied_role')
  async check(
    @Ctx() ctx: RequestContext,
    @Param('prior_role_id') prior: string,
    @Param('implied_role_id') implied: string,
  ): Promise<void> {
    await this.inferences.get(ctx, { prior, implied });
  }

  @Get(':implied_role_id')
  @Protected('identity:get_implied_role')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('prior_role_id') prior: string,
    @Param('implied_role_id') implied: string,
  ): Promise<object> {
    const inference = await this.inferences.get(ctx, { prior, implied });
    return inferenceView(inference.prior, inference.implied, ctx.baseUrl);
  }

  @Delete(':implied_role_id')
  @HttpCode(204)
  @Protected('identity:delete_implied_role')
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('prior_role_id') prior: string,
    @Param('implied_role_id') implied: string,
  ): Promise<void> {
    await this.inferences.delete(ctx, { prior, implied });
  }
}
