import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { catalogFor } from '../catalog/catalog.repository.js';
import { CatalogEntry } from '../catalog/catalog.js';
import { domains } from '../domains/domain.repository.js';
import { DomainView, domainView } from '../domains/domain.dto.js';
import { Protected, ProtectedInHandler } from '../policy/protected.js';
import { projects } from '../projects/project.repository.js';
import { ProjectView, projectView } from '../projects/project.view.js';
import { listedUnder, listLinks, pageView } from '../resource/resource.view.js';
import { SystemView } from './token.view.js';
import { scopes } from '../roles/scope.repository.js';

/** The scopes available to the caller's token, and its catalog. */
@ApiTags('authentication')
@Controller('v3/auth')
export class AuthController {
  @Get('projects')
  @ProtectedInHandler('identity:get_auth_projects')
  @Operation('List the projects that a token can be had for', listedUnder('projects', ProjectView))
  async listProjects(@Ctx() ctx: RequestContext): Promise<object> {
    const rows = await projects.listScopes(ctx, ctx.userId);
    return pageView(ctx, 'projects', { rows, more: false }, projectView);
  }

  @Get('domains')
  @ProtectedInHandler('identity:get_auth_domains')
  @Operation('List the domains that a token can be had for', listedUnder('domains', DomainView))
  async listDomains(@Ctx() ctx: RequestContext): Promise<object> {
    const rows = await domains.listScopes(ctx, ctx.userId);
    return pageView(ctx, 'domains', { rows, more: false }, domainView);
  }

  @Get('system')
  @ProtectedInHandler('identity:get_auth_system')
  @Operation('Show whether a token can be had for the system', listedUnder('system', SystemView))
  async listSystem(@Ctx() ctx: RequestContext): Promise<object> {
    const scope = await scopes.system(ctx, ctx.userId);
    return { system: scope ? [{ all: true }] : [], links: listLinks(ctx) };
  }

  @Get('catalog')
  @Protected('identity:get_auth_catalog')
  @Operation('Show the catalog', listedUnder('catalog', CatalogEntry))
  async showCatalog(@Ctx() ctx: RequestContext): Promise<object> {
    return { catalog: await catalogFor(ctx, ctx.fields), links: listLinks(ctx) };
  }
}
