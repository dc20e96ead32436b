import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainRepository } from '../domains/domain.repository.js';
import { pageStart, type PageQuery } from '../http/page.js';
import { scopeDomainOf } from '../policy/personas.js';
import { parentIds, subtreeIds, type ProjectTree } from './project-tree.js';
import { ProjectTreeRepository } from './project-tree.repository.js';
import type { ShowProjectQuery } from './project.dto.js';
import { ProjectNotFoundError, TwoFormsError } from './project.errors.js';
import { ProjectRepository, type ProjectFilter } from './project.repository.js';
import { domainAsProject, type ShownProject } from './shown-project.js';

/** Projects as they are read: domains are among them. Public source: Keystone API reference, "Projects". */
@Injectable()
export class ProjectReadsService {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly tree: ProjectTreeRepository,
    private readonly domains: DomainRepository,
  ) {}

  /**
   * A page of the projects that the caller may see, or of the domains.
   * @throws MarkerNotFoundError
   */
  async list(
    ctx: RequestContext,
    wanted: ProjectFilter,
    page: PageQuery & { readonly is_domain?: boolean },
  ): Promise<readonly ShownProject[]> {
    const filter = { ...wanted, within: scopeDomainOf(ctx) };
    if (page.is_domain === true) return this.#listDomains(ctx, filter, page);
    const { within } = filter;
    const start = await pageStart(page, async (marker) => {
      const project = await this.projects.find(ctx, marker);
      return within === undefined || project?.domainId === within ? project : undefined;
    });
    return this.projects.list(ctx, filter, start);
  }

  /**
   * A page of the projects on which a user has a role.
   * @throws MarkerNotFoundError
   */
  async listOfUser(
    ctx: RequestContext,
    userId: string,
    filter: ProjectFilter,
    page: PageQuery,
  ): Promise<readonly ShownProject[]> {
    const start = await pageStart(page, (id) => this.projects.findOfUser(ctx, userId, id));
    return this.projects.list(ctx, { ...filter, userId }, start);
  }

  /** @throws ProjectNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<ShownProject> {
    const project = await this.projects.find(ctx, id);
    if (project) return project;
    const domain = await this.domains.find(ctx, id);
    if (!domain) throw new ProjectNotFoundError(id);
    return domainAsProject(domain);
  }

  /**
   * What was asked for of the projects above and below. Lists hold those that the caller has a role
   * on, ids are of all.
   * @throws TwoFormsError
   */
  async treeOf(
    ctx: RequestContext,
    project: ShownProject,
    query: ShowProjectQuery,
  ): Promise<ProjectTree> {
    if (query.parents_as_list && query.parents_as_ids) throw new TwoFormsError('parents');
    if (query.subtree_as_list && query.subtree_as_ids) throw new TwoFormsError('subtree');
    return {
      ...(query.parents_as_list && {
        parents: { list: await this.tree.listAbove(ctx, project, ctx.userId) },
      }),
      ...(query.parents_as_ids && { parents: { ids: parentIds(project) } }),
      ...(query.subtree_as_list && {
        subtree: { list: await this.tree.listBelow(ctx, project, ctx.userId) },
      }),
      ...(query.subtree_as_ids && {
        subtree: { ids: subtreeIds(project.id, await this.tree.listBelow(ctx, project)) },
      }),
    };
  }

  /** Domains are in no domain and below nothing: who asks for those that are gets none. */
  async #listDomains(
    ctx: RequestContext,
    { name, enabled, tags, inexact, ...place }: ProjectFilter,
    page: PageQuery,
  ): Promise<readonly ShownProject[]> {
    const { domainId, parentId, within } = place;
    if ([domainId, parentId, within].some((id) => id !== undefined)) return [];
    if (inexact?.some(({ attribute }) => attribute !== 'name')) return [];
    const start = await pageStart(page, (marker) => this.domains.find(ctx, marker));
    const domains = await this.domains.list(ctx, { name, enabled, tags, inexact }, start);
    return domains.map(domainAsProject);
  }
}
