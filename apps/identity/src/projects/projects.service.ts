import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '../database/new-id.js';
import { DomainRepository } from '../domains/domain.repository.js';
import { refuseOtherId } from '../http/other-id.js';
import { FixedPropertyError, refuseImmutable } from '../http/resource-errors.js';
import { domainOfCaller } from '../policy/new-domain.js';
import { scopeDomainOf } from '../policy/personas.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { BLANK, changedProject, type ProjectChange } from './project-change.js';
import { ProjectTreeRepository } from './project-tree.repository.js';
import type { CreateProjectDto, ProjectFieldsDto, UpdateProjectDto } from './project.dto.js';
import type { Project } from './project.entity.js';
import {
  DisabledAboveError,
  DisabledParentError,
  EnabledBelowError,
  OwnProjectError,
  ParentFixedError,
  ProjectIsDomainError,
  ProjectNotFoundError,
  UnknownDomainError,
  UnknownParentError,
} from './project.errors.js';
import { ProjectRepository } from './project.repository.js';

/**
 * Making, changing and removing projects. Public source: Keystone API reference, "Projects".
 *
 * Always holds: all projects above an enabled one are enabled; a project never changes its place;
 * no token is of a project that is disabled or gone.
 */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly tree: ProjectTreeRepository,
    private readonly domains: DomainRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /**
   * In the domain that is named, else in that of the parent, else in the caller's. A caller of a
   * domain stays within it: that is as far as it has been authorised.
   * @throws ProjectIsDomainError, UnknownDomainError, UnknownParentError, DisabledParentError
   * @throws ProjectTooDeepError, DuplicateNameError
   */
  async create(ctx: RequestContext, wanted: CreateProjectDto): Promise<Project> {
    if (wanted.is_domain === true) throw new ProjectIsDomainError('POST /v3/domains');
    const named = wanted.domain_id ?? scopeDomainOf(ctx);
    const domainId = named ?? (await this.#domainOf(ctx, wanted.parent_id)) ?? domainOfCaller(ctx);
    const parentId = wanted.parent_id ?? domainId;
    const project = changedProject({ ...BLANK, id: newId<Project['id']>() }, changeOf(wanted));
    const created = await this.projects.insert(ctx, { ...project, domainId, parentId });
    if (!created) throw await this.#refusal(ctx, domainId, parentId);
    return created;
  }

  /**
   * @throws ProjectNotFoundError, OtherIdError, ProjectIsDomainError
   * @throws FixedPropertyError for another domain, ParentFixedError for another parent
   * @throws OwnProjectError for one's own that is to be disabled
   * @throws ImmutableError, DisabledAboveError, EnabledBelowError, DuplicateNameError
   */
  async update(ctx: RequestContext, id: string, wanted: UpdateProjectDto): Promise<Project> {
    refuseOtherId('project', id, wanted.id);
    const change = changeOf(wanted);
    const work = async (tx: RequestContext): Promise<Project> => {
      const before = await this.#lock(tx, id, 'PATCH');
      refuseMove(before, wanted);
      if (before.enabled && change.enabled === false && id === ctx.fields.projectId)
        throw new OwnProjectError(id, 'disable');
      refuseImmutable('project', before, change);
      const after = changedProject(before, change);
      if (before.enabled !== after.enabled) await this.#allowSwitch(tx, after);
      await this.projects.update(tx, after);
      if (before.enabled && !after.enabled)
        await this.revocations.revoke(tx, { projectId: after.id });
      return after;
    };
    return change.enabled === false ? this.revocations.change(ctx, work) : inTransaction(ctx, work);
  }

  /** @throws ProjectNotFoundError, ProjectIsDomainError, OwnProjectError, ImmutableError, ProjectNotLeafError */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const project = await this.#lock(tx, id, 'DELETE');
      if (id === ctx.fields.projectId) throw new OwnProjectError(id, 'delete');
      refuseImmutable('project', project);
      await this.projects.delete(tx, id);
      await this.revocations.revoke(tx, { projectId: project.id });
    });
  }

  async #lock(tx: RequestContext, id: string, method: string): Promise<Project> {
    const project = await this.projects.lock(tx, id);
    if (project) return project;
    if (!(await this.domains.find(tx, id))) throw new ProjectNotFoundError(id);
    throw new ProjectIsDomainError(`${method} /v3/domains/${id}`);
  }

  async #allowSwitch(tx: RequestContext, project: Project): Promise<void> {
    if (project.enabled && (await this.tree.hasDisabledAbove(tx, project)))
      throw new DisabledAboveError(project.id);
    if (!project.enabled && (await this.tree.hasEnabledBelow(tx, project)))
      throw new EnabledBelowError(project.id);
  }

  async #domainOf(
    ctx: RequestContext,
    parentId: string | null | undefined,
  ): Promise<string | undefined> {
    if (parentId == null) return undefined;
    const project = await this.projects.find(ctx, parentId);
    return project?.domainId ?? (await this.domains.find(ctx, parentId))?.id;
  }

  /** Why there is no place for a new project. */
  async #refusal(ctx: RequestContext, domainId: string, parentId: string): Promise<Error> {
    const domain = await this.domains.find(ctx, domainId);
    if (!domain) return new UnknownDomainError(domainId);
    const parent = await this.projects.find(ctx, parentId);
    if (parentId !== domainId && parent?.domainId !== domainId)
      return new UnknownParentError(parentId, domainId);
    return new DisabledParentError(domain.enabled ? parentId : domainId);
  }
}

function changeOf(dto: ProjectFieldsDto & { readonly name?: string }): ProjectChange {
  const { name, description, enabled, tags, options, extra = {} } = dto;
  const hasExtra = Object.keys(extra).length > 0;
  return { name, description, enabled, tags, options, extra: hasExtra ? extra : undefined };
}

/** A client may send back what it has read; so no project comes to be above itself. */
function refuseMove(project: Project, { domain_id, parent_id, is_domain }: ProjectFieldsDto): void {
  if (domain_id !== undefined && domain_id !== project.domainId)
    throw new FixedPropertyError('project.domain_id');
  if (is_domain === true) throw new FixedPropertyError('project.is_domain');
  const parentId = project.parentId ?? project.domainId;
  if (parent_id !== undefined && parent_id !== parentId) throw new ParentFixedError(project.id);
}
