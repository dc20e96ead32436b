import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { CatalogRepository } from '../catalog/catalog.repository.js';
import { CatalogEntry, catalogOf } from '../catalog/catalog.js';
import { DomainRepository } from '../domains/domain.repository.js';
import { DomainView, domainView } from '../domains/domain.dto.js';
import { Protected, ProtectedInHandler } from '../policy/protected.js';
import { ProjectRepository } from '../projects/project.repository.js';
import { ProjectView, projectView } from '../projects/project.view.js';
import { listedUnder, listLinks } from '../resource/resource.view.js';
import { SystemView } from './token.view.js';
import { ScopeRepository } from './scope.repository.js';

/** The scopes available to the caller's token, and its catalog. */
@ApiTags('authentication')
@Controller('v3/auth')
export class AuthController {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly domains: DomainRepository,
    private readonly scopes: ScopeRepository,
    private readonly catalogs: CatalogRepository,
  ) {}

  @Get('projects')
  @ProtectedInHandler('identity:get_auth_projects')
  @Operation('List the projects that a token can be had for', listedUnder('projects', ProjectView))
  async listProjects(@Ctx() ctx: RequestContext): Promise<object> {
    const projects = await this.projects.listScopes(ctx, ctx.userId);
    return {
      projects: projects.map((project) => projectView(project, ctx.baseUrl)),
      links: listLinks(ctx),
    };
  }

  @Get('domains')
  @ProtectedInHandler('identity:get_auth_domains')
  @Operation('List the domains that a token can be had for', listedUnder('domains', DomainView))
  async listDomains(@Ctx() ctx: RequestContext): Promise<object> {
    const domains = await this.domains.listScopes(ctx, ctx.userId);
    return {
      domains: domains.map((domain) => domainView(domain, ctx.baseUrl)),
      links: listLinks(ctx),
    };
  }

  @Get('system')
  @ProtectedInHandler('identity:get_auth_system')
  @Operation('Show whether a token can be had for the system', listedUnder('system', SystemView))
  async listSystem(@Ctx() ctx: RequestContext): Promise<object> {
    const scope = await this.scopes.system(ctx, ctx.userId);
    return { system: scope ? [{ all: true }] : [], links: listLinks(ctx) };
  }

  @Get('catalog')
  @Protected('identity:get_auth_catalog')
  @Operation('Show the catalog', listedUnder('catalog', CatalogEntry))
  async showCatalog(@Ctx() ctx: RequestContext): Promise<object> {
    return {
      catalog: catalogOf(await this.catalogs.list(ctx, ctx.fields.projectId), {
        userId: ctx.userId,
        projectId: ctx.fields.projectId,
        baseUrl: ctx.baseUrl,
      }),
      links: listLinks(ctx),
    };
  }
}
