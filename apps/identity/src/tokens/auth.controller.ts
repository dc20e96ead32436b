import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { catalogFor } from '../catalog/catalog.js';
import type { IdentityConfig } from '../config.js';
import { DomainRepository } from '../domains/domain.repository.js';
import { domainView } from '../domains/domain.view.js';
import { collectionLinks } from '../http/collection.view.js';
import { IDENTITY_CONFIG } from '../injection-tokens.js';
import { ProtectedInHandler } from '../policy/protected.js';
import { ProjectRepository } from '../projects/project.repository.js';
import { projectView } from '../projects/project.view.js';
import { ScopeRepository } from './scope.repository.js';

/** What the caller's token could be exchanged for, and where the services are. */
@ApiTags('authentication')
@Controller('v3/auth')
export class AuthController {
  constructor(
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
    private readonly projects: ProjectRepository,
    private readonly domains: DomainRepository,
    private readonly scopes: ScopeRepository,
  ) {}

  @Get('projects')
  @ProtectedInHandler('identity:get_auth_projects')
  async listProjects(@Ctx() ctx: RequestContext): Promise<object> {
    const projects = await this.projects.listScopes(ctx, ctx.userId);
    return {
      projects: projects.map((project) => projectView(project, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }

  @Get('domains')
  @ProtectedInHandler('identity:get_auth_domains')
  async listDomains(@Ctx() ctx: RequestContext): Promise<object> {
    const domains = await this.domains.listScopes(ctx, ctx.userId);
    return {
      domains: domains.map((domain) => domainView(domain, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }

  @Get('system')
  @ProtectedInHandler('identity:get_auth_system')
  async listSystem(@Ctx() ctx: RequestContext): Promise<object> {
    const scope = await this.scopes.system(ctx, ctx.userId);
    return { system: scope ? [{ all: true }] : [], links: collectionLinks(ctx) };
  }

  @Get('catalog')
  @ProtectedInHandler('identity:get_auth_catalog')
  showCatalog(@Ctx() ctx: RequestContext): object {
    const { projectId, domainId } = ctx.fields;
    if (projectId === undefined && domainId === undefined && ctx.roles.length === 0)
      throw new ForbiddenError('A scoped token is required to produce a service catalog.');
    return {
      catalog: catalogFor(this.config, ctx.baseUrl, projectId),
      links: collectionLinks(ctx),
    };
  }
}
