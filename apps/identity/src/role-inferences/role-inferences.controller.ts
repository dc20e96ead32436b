import { Controller, Delete, Get, Head, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Protected } from '../policy/protected.js';
import { listedUnder, listLinks } from '../resource/resource.view.js';
import {
  impliedUrl,
  InferenceBody,
  inferenceBody,
  InferencesBody,
  InferencesView,
  inferencesView,
} from './role-inference.view.js';
import { inferences, RoleInferencesService, type InferenceIds } from './role-inferences.service.js';
import { RoleInference } from './role-inference.entity.js';

@ApiTags('roles')
@Controller('v3')
export class RoleInferencesController {
  constructor(private readonly service: RoleInferencesService) {}

  @Get('role_inferences')
  @Protected('identity:list_role_inference_rules')
  @Operation('List role inferences', listedUnder('role_inferences', InferencesView))
  async listAll(@Ctx() ctx: RequestContext): Promise<object> {
    const rows = await inferences.listByPrior(ctx);
    const views = rows.map((one) => inferencesView(one, ctx.baseUrl));
    return { role_inferences: views, links: listLinks(ctx) };
  }

  @Get('roles/:prior_role_id/implies')
  @Protected('identity:list_implied_roles')
  @Operation('List the roles that a role implies', InferencesBody)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('prior_role_id') prior: string,
  ): Promise<InferencesBody> {
    return {
      role_inference: inferencesView(await this.service.listOf(ctx, prior), ctx.baseUrl),
      links: { self: impliedUrl(prior, ctx.baseUrl) },
    };
  }

  @Put('roles/:prior_role_id/implies/:implied_role_id')
  @Protected('identity:create_implied_role')
  @Operation('Let a role imply another', InferenceBody, { status: 201, errors: [409] })
  async create(@Ctx() ctx: RequestContext, @Param() ids: InferenceIds): Promise<InferenceBody> {
    return inferenceBody(await this.service.create(ctx, ids), ctx.baseUrl);
  }

  /** Keystone answers 204 here, and 200 to the GET. */
  @Head('roles/:prior_role_id/implies/:implied_role_id')
  @Protected('identity:check_implied_role')
  @Operation('Check whether a role implies another', null)
  async check(@Ctx() ctx: RequestContext, @Param() ids: InferenceIds): Promise<void> {
    await this.service.get(ctx, ids);
  }

  @Get('roles/:prior_role_id/implies/:implied_role_id')
  @Protected('identity:get_implied_role')
  @Operation('Show that a role implies another', InferenceBody)
  async show(@Ctx() ctx: RequestContext, @Param() ids: InferenceIds): Promise<InferenceBody> {
    return inferenceBody(await this.service.get(ctx, ids), ctx.baseUrl);
  }

  @Delete('roles/:prior_role_id/implies/:implied_role_id')
  @Protected('identity:delete_implied_role')
  @Operation('Let a role imply another no more', null)
  delete(@Ctx() ctx: RequestContext, @Param() ids: InferenceIds): Promise<void> {
    return this.service.delete(ctx, ids);
  }
}

@Feature({
  controllers: [RoleInferencesController],
  providers: [RoleInferencesService],
  entities: [RoleInference],
})
export class RoleInferencesModule {}
