/** Public source: Keystone API reference, "Roles". */
import { Controller, Delete, Get, Head, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { Protected } from '../policy/protected.js';
import { LinksView, listedUnder, listLinks } from '../resource/resource.view.js';
import {
  type Inference,
  type InferenceIds,
  type Inferences,
  inferences,
  RoleInference,
  RoleInferencesService,
} from './role-inferences.service.js';

const NamedRoleView = answerClass('NamedRoleView', {
  id: Shown(String, 'The ID of the role.'),
  name: Shown(String, 'The name of the role.'),
  links: Shown(() => LinksView, 'Links to the resource.'),
});

/** One prior role and one that it implies. */
const InferenceView = answerClass('InferenceView', {
  prior_role: Shown(() => NamedRoleView, 'The prior role.'),
  implies: Shown(() => NamedRoleView, 'The role that it implies.'),
});

const InferenceBody = answerClass('InferenceBody', {
  role_inference: Shown(() => InferenceView, 'The inference.'),
  links: Shown(() => LinksView, 'Links to the resource.'),
});

/** One prior role and all that it implies directly, not through another. */
const InferencesView = answerClass('InferencesView', {
  prior_role: Shown(() => NamedRoleView, 'The prior role.'),
  implies: Shown([() => NamedRoleView], 'The roles that it implies.'),
});

const InferencesBody = answerClass('InferencesBody', {
  role_inference: Shown(() => InferencesView, 'The inferences.'),
  links: Shown(() => LinksView, 'Links to the resource.'),
});

function impliedUrl(priorId: string, baseUrl: string, impliedId?: string): string {
  const implied = impliedId === undefined ? '' : `/${impliedId}`;
  return `${baseUrl}/v3/roles/${priorId}/implies${implied}`;
}

function namedRoleView({ id, name }: Inferences['prior'], baseUrl: string): object {
  return { id, name, links: { self: `${baseUrl}/v3/roles/${id}` } };
}

function inferenceBody({ prior, implied }: Inference, baseUrl: string): object {
  return {
    role_inference: {
      prior_role: namedRoleView(prior, baseUrl),
      implies: namedRoleView(implied, baseUrl),
    },
    links: { self: impliedUrl(prior.id, baseUrl, implied.id) },
  };
}

function inferencesView({ prior, implies }: Inferences, baseUrl: string): object {
  return {
    prior_role: namedRoleView(prior, baseUrl),
    implies: implies.map((role) => namedRoleView(role, baseUrl)),
  };
}

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
  async list(@Ctx() ctx: RequestContext, @Param('prior_role_id') prior: string): Promise<object> {
    return {
      role_inference: inferencesView(await this.service.listOf(ctx, prior), ctx.baseUrl),
      links: { self: impliedUrl(prior, ctx.baseUrl) },
    };
  }

  @Put('roles/:prior_role_id/implies/:implied_role_id')
  @Protected('identity:create_implied_role')
  @Operation('Let a role imply another', InferenceBody, { status: 201, errors: [409] })
  async create(@Ctx() ctx: RequestContext, @Param() ids: InferenceIds): Promise<object> {
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
  async show(@Ctx() ctx: RequestContext, @Param() ids: InferenceIds): Promise<object> {
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
