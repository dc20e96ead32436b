import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { refuseImmutable } from '../http/resource-errors.js';
import { MOST_TAGS, tagFault } from '../http/tags.js';
import { changedProject } from '../projects/project-change.js';
import { ProjectNotFoundError } from '../projects/project.errors.js';
import { ProjectRepository } from '../projects/project.repository.js';
import {
  InvalidTagError,
  ProjectTagNotFoundError,
  TagExistsError,
  TooManyTagsError,
} from './project-tag.errors.js';

/** The tags of a project, one by one or all at once. Public source: Keystone API reference, "Project tags". */
@Injectable()
export class ProjectTagsService {
  constructor(private readonly projects: ProjectRepository) {}

  /** @throws ProjectNotFoundError */
  async list(ctx: RequestContext, projectId: string): Promise<readonly string[]> {
    const project = await this.projects.find(ctx, projectId);
    if (!project) throw new ProjectNotFoundError(projectId);
    return project.tags;
  }

  /** @throws ProjectNotFoundError, ProjectTagNotFoundError */
  async check(ctx: RequestContext, projectId: string, tag: string): Promise<void> {
    const tags = await this.list(ctx, projectId);
    if (!tags.includes(tag)) throw new ProjectTagNotFoundError(tag);
  }

  /** @throws ProjectNotFoundError, ImmutableError */
  replace(
    ctx: RequestContext,
    projectId: string,
    tags: readonly string[],
  ): Promise<readonly string[]> {
    return this.#change(ctx, projectId, () => tags);
  }

  /**
   * @returns the tag as it is kept
   * @throws InvalidTagError, TagExistsError, TooManyTagsError, ProjectNotFoundError, ImmutableError
   */
  async add(ctx: RequestContext, projectId: string, wanted: string): Promise<string> {
    const fault = tagFault(wanted);
    if (fault !== undefined) throw new InvalidTagError(wanted, fault);
    const tag = wanted.trim();
    await this.#change(ctx, projectId, (tags) => {
      if (tags.includes(tag)) throw new TagExistsError(projectId, tag);
      if (tags.length >= MOST_TAGS) throw new TooManyTagsError(projectId);
      return [...tags, tag];
    });
    return tag;
  }

  /** @throws ProjectNotFoundError, ProjectTagNotFoundError, ImmutableError */
  async remove(ctx: RequestContext, projectId: string, tag: string): Promise<void> {
    await this.#change(ctx, projectId, (tags) => {
      if (!tags.includes(tag)) throw new ProjectTagNotFoundError(tag);
      return tags.filter((one) => one !== tag);
    });
  }

  #change(
    ctx: RequestContext,
    projectId: string,
    next: (tags: readonly string[]) => readonly string[],
  ): Promise<readonly string[]> {
    return inTransaction(ctx, async (tx) => {
      const project = await this.projects.lock(tx, projectId);
      if (!project) throw new ProjectNotFoundError(projectId);
      refuseImmutable('project', project);
      const after = changedProject(project, { tags: next(project.tags) });
      await this.projects.update(tx, after);
      return after.tags;
    });
  }
}
