import { Injectable } from '@nestjs/common';
import { asId, type DomainId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError, InvalidInputError, conflict } from '@cumulet/common/errors/domain-error';
import { oneOf } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { newId } from '../database/new-id.js';
import type { DomainDto } from '../domains/domain.resource.js';
import { domains } from '../domains/domain.repository.js';
import { DomainsService } from '../domains/domains.service.js';
import { limits } from '../limits/limits.service.js';
import { domainOfCaller, scopeDomainOf } from '../policy/caller.js';
import { authorise } from '../policy/policy.js';
import { FixedPropertyError, NotFoundError, refuseImmutable } from '../resource/resource.errors.js';
import { ResourceService } from '../resource/resource.service.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import type {
  ListProjectsQuery,
  Project,
  ProjectDto,
  ShowProjectQuery,
} from './project.resource.js';
import { projects } from './project.repository.js';
import {
  domainAsProject,
  type ListedProject,
  parentIds,
  type ProjectTree,
  type ShownProject,
  subtreeIds,
} from './project.view.js';

/**
 * Domains that are managed as projects (`is_domain`). Each operation requires the same right as on the
 * domain. Public source: Keystone API reference, "Create project".
 */
@Injectable()
export class ActingDomainsService {
  constructor(private readonly domains: DomainsService) {}

  /** @throws InvalidInputError for a parent, or as `DomainsService.create` */
  async create(ctx: RequestContext, dto: ProjectDto): Promise<ShownProject> {
    authorise(ctx, 'identity:create_domain');
    for (const property of ['domain_id', 'parent_id'] as const)
      if (dto[property] != null)
        throw new InvalidInputError(
          `Invalid input: a project that acts as a domain is at the root of its tree: project.${property} cannot be '${dto[property]}'.`,
        );
    return domainAsProject(await this.domains.create(ctx, domainDtoOf(dto)));
  }

  /** @throws FixedPropertyError for a parent, or as `DomainsService.update` */
  async update(ctx: RequestContext, id: string, dto: Partial<ProjectDto>): Promise<ShownProject> {
    authorise(ctx, 'identity:update_domain');
    for (const property of ['domain_id', 'parent_id'] as const)
      if (dto[property] != null) throw new FixedPropertyError(`project.${property}`);
    if (dto.is_domain === false) throw new FixedPropertyError('project.is_domain');
    return domainAsProject(await this.domains.update(ctx, id, domainDtoOf(dto)));
  }

  /** @throws as `DomainsService.delete` */
  delete(ctx: RequestContext, id: string): Promise<void> {
    authorise(ctx, 'identity:delete_domain');
    return this.domains.delete(ctx, id);
  }
}

/** @throws InvalidInputError for further properties */
function domainDtoOf<Dto extends Partial<ProjectDto>>(
  dto: Dto,
): Pick<Dto, keyof Dto & keyof DomainDto> {
  const { domain_id: _domain, parent_id: _parent, is_domain: _is, extra = {}, ...shared } = dto;
  const [unknown] = Object.keys(extra);
  if (unknown !== undefined)
    throw new InvalidInputError(`Invalid input: project.${unknown} is not a property of domains.`);
  return shared as unknown as Pick<Dto, keyof Dto & keyof DomainDto>;
}

class OwnProjectError extends conflict(
  (id: string, what: 'delete' | 'disable') =>
    `Cannot ${what} the project ${id}: the token of this request is scoped to it.`,
) {}

/**
 * Always holds: all projects above an enabled one are enabled; projects are never moved; a disabled
 * or deleted project has no valid tokens. Public source: Keystone API reference, "Projects".
 */
@Injectable()
export class ProjectsService extends ResourceService<Project, ProjectDto, ShownProject> {
  protected readonly table = projects;

  constructor(
    private readonly revocations: RevocationsService,
    private readonly actingDomains: ActingDomainsService,
  ) {
    super();
  }

  /** Domains have neither a domain nor a parent, so filters by these find none. */
  async listDomains(
    ctx: RequestContext,
    query: ListProjectsQuery,
  ): Promise<PageOfRows<ShownProject>> {
    const asksForPlace = Object.entries(query).some(
      ([name, value]) => value !== undefined && /^(domain|parent)_id/.test(name),
    );
    if (asksForPlace || scopeDomainOf(ctx) !== undefined) return { rows: [], more: false };
    const { rows, more } = await domains.page(ctx, query);
    return { rows: rows.map(domainAsProject), more };
  }

  /** @throws NotFoundError */
  async getShown(ctx: RequestContext, id: string): Promise<ShownProject> {
    const project = await projects.find(ctx, id);
    if (project) return project;
    const domain = await domains.find(ctx, id);
    if (!domain) throw new NotFoundError('project', id);
    return domainAsProject(domain);
  }

  /**
   * The projects above and below that the query asks for. Lists have those on which the caller has a
   * role; nested IDs have all.
   * @throws InvalidInputError if the query asks for both forms
   */
  async treeOf(
    ctx: RequestContext,
    project: ShownProject,
    query: ShowProjectQuery,
  ): Promise<ProjectTree> {
    for (const side of ['parents', 'subtree'] as const)
      if (query[`${side}_as_list`] && query[`${side}_as_ids`])
        throw new InvalidInputError(
          `Invalid input: ${side}_as_list and ${side}_as_ids cannot be combined.`,
        );
    const listed = (found: readonly ShownProject[]): Promise<ListedProject[]> =>
      query.include_limits ? withLimits(ctx, found) : Promise.resolve([...found]);
    return {
      ...(query.parents_as_list && {
        parents: await listed(await projects.listAbove(ctx, project, ctx.userId)),
      }),
      ...(query.parents_as_ids && { parents: parentIds(project) }),
      ...(query.subtree_as_list && {
        subtree: await listed(await projects.listBelow(ctx, project, ctx.userId)),
      }),
      ...(query.subtree_as_ids && {
        subtree: subtreeIds(project.id, await projects.listBelow(ctx, project)),
      }),
    };
  }

  /**
   * Creates it in the domain that the body names, else in the parent's, else in the caller's. The policy
   * has authorised a domain's token for that domain only.
   * @throws DuplicateNameError, ForbiddenError for a tree that is too deep
   * @throws InvalidInputError for a domain or a parent that is unknown or disabled
   */
  override async create(ctx: RequestContext, dto: ProjectDto): Promise<ShownProject> {
    if (dto.is_domain === true) return this.actingDomains.create(ctx, dto);
    const named = dto.domain_id ?? scopeDomainOf(ctx);
    const domainId = named ?? (await this.#domainOf(ctx, dto.parent_id)) ?? domainOfCaller(ctx);
    return projects.insertBelow(ctx, dto.parent_id ?? domainId, {
      ...projects.changeOf(ctx, dto),
      id: newId<ProjectId>(),
      domainId: asId<DomainId>(domainId),
    });
  }

  /**
   * @throws NotFoundError, OtherIdError, ImmutableError, DuplicateNameError
   * @throws FixedPropertyError for another domain, ForbiddenError for another parent
   * @throws OwnProjectError for disabling the caller's own project
   * @throws ForbiddenError for enabling below a disabled project, or disabling above an enabled one
   */
  override update(
    ctx: RequestContext,
    id: string,
    dto: Partial<ProjectDto>,
  ): Promise<ShownProject> {
    const work = (tx: RequestContext): Promise<ShownProject> => super.update(tx, id, dto);
    return orAsDomain(
      ctx,
      id,
      dto.enabled === false ? this.revocations.change(ctx, work) : inTransaction(ctx, work),
      () => this.actingDomains.update(ctx, id, dto),
    );
  }

  /**
   * @throws NotFoundError, OwnProjectError, ImmutableError
   * @throws ForbiddenError for one with projects below it
   */
  override delete(ctx: RequestContext, id: string): Promise<void> {
    const work = this.revocations.change(ctx, async (tx) => {
      const project = await projects.lock(tx, id);
      if (id === ctx.fields.projectId) throw new OwnProjectError(id, 'delete');
      refuseImmutable('project', project);
      await projects.delete(tx, id);
      await this.revocations.revoke(tx, { projectId: project.id });
    });
    return orAsDomain(ctx, id, work, () => this.actingDomains.delete(ctx, id));
  }

  protected override async allow(
    tx: RequestContext,
    before: Project,
    { enabled = before.enabled }: Partial<Project>,
    dto: Partial<ProjectDto>,
  ): Promise<void> {
    const { id } = before;
    refuseMove(before, dto);
    if (enabled === before.enabled) return;
    if (enabled && (await projects.hasDisabledAbove(tx, before)))
      throw new ForbiddenError(
        `Cannot enable the project ${id}: its domain or a project above it is disabled.`,
      );
    if (enabled) return;
    if (id === tx.fields.projectId) throw new OwnProjectError(id, 'disable');
    if (await projects.hasEnabledBelow(tx, before))
      throw new ForbiddenError(
        `Cannot disable the project ${id}: there are enabled projects below it.`,
      );
    await this.revocations.revoke(tx, { projectId: id });
  }

  async #domainOf(
    ctx: RequestContext,
    parentId: string | null | undefined,
  ): Promise<string | undefined> {
    if (parentId == null) return undefined;
    const project = await projects.find(ctx, parentId);
    return project?.domainId ?? (await domains.find(ctx, parentId))?.id;
  }
}

/** @param asDomain the work for the ID of a domain */
async function orAsDomain<T>(
  ctx: RequestContext,
  id: string,
  work: Promise<T>,
  asDomain: () => Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (failure) {
    if (failure instanceof NotFoundError && (await domains.find(ctx, id))) return asDomain();
    throw failure;
  }
}

/** A client may repeat the parent that it has read. */
function refuseMove(
  project: Project,
  { domain_id, parent_id, is_domain }: Partial<ProjectDto>,
): void {
  if (domain_id !== undefined && domain_id !== project.domainId)
    throw new FixedPropertyError('project.domain_id');
  if (is_domain === true) throw new FixedPropertyError('project.is_domain');
  if (parent_id !== undefined && parent_id !== (project.parentId ?? project.domainId))
    throw new ForbiddenError(
      `Cannot change project.parent_id of ${project.id}: projects cannot be moved.`,
    );
}

/** Public source: Keystone's source, `keystone/resource/core.py`, `_include_limits`. */
async function withLimits(
  ctx: RequestContext,
  found: readonly ShownProject[],
): Promise<ListedProject[]> {
  const of = [
    oneOf(
      'projectId',
      found.map(({ id }) => id),
    ),
  ];
  const all = await limits.select(ctx, of, 'ORDER BY created_at, id');
  return found.map((project) => ({
    ...project,
    limits: all.filter(({ projectId }) => projectId === project.id),
  }));
}
