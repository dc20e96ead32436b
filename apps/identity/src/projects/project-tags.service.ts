import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { NotFoundError, refuseImmutable } from '../resource/resource.errors.js';
import { MAX_TAGS, tagFault } from '../resource/tags.js';
import { projects } from './project.repository.js';

type Tags = readonly string[];

/** The tags of a project, one by one or all at once. Public source: Keystone API reference, "Project tags". */
@Injectable()
export class ProjectTagsService {
  /** @throws NotFoundError */
  async list(ctx: RequestContext, projectId: string): Promise<Tags> {
    return (await projects.get(ctx, projectId)).tags;
  }

  /** @throws NotFoundError for the project or the tag */
  async check(ctx: RequestContext, projectId: string, tag: string): Promise<void> {
    refuseMissing(await this.list(ctx, projectId), tag);
  }

  /**
   * @returns the tag as it is kept
   * @throws InvalidInputError for a tag that is malformed, there already, or one too many
   * @throws NotFoundError, ImmutableError
   */
  async add(ctx: RequestContext, projectId: string, wanted: string): Promise<string> {
    const fault = tagFault(wanted);
    if (fault !== undefined)
      throw new InvalidInputError(`Invalid input: the tag '${wanted}' ${fault}.`);
    const tag = wanted.trim();
    await this.change(ctx, projectId, (tags) => {
      const full = tags.length >= MAX_TAGS && `${MAX_TAGS} tags, and can have no more`;
      const refused = tags.includes(tag) ? `the tag '${tag}' already` : full;
      if (refused)
        throw new InvalidInputError(`Invalid input: the project ${projectId} has ${refused}.`);
      return [...tags, tag];
    });
    return tag;
  }

  /** @throws NotFoundError for the project or the tag, ImmutableError */
  async remove(ctx: RequestContext, projectId: string, tag: string): Promise<void> {
    await this.change(ctx, projectId, (tags) => {
      refuseMissing(tags, tag);
      return tags.filter((one) => one !== tag);
    });
  }

  /**
   * @param next from the tags that the project has to those that it is to have
   * @throws NotFoundError, ImmutableError
   */
  change(ctx: RequestContext, projectId: string, next: (tags: Tags) => Tags): Promise<Tags> {
    return inTransaction(ctx, async (tx) => {
      const project = await projects.lock(tx, projectId);
      refuseImmutable('project', project);
      return (await projects.update(tx, projectId, { tags: [...next(project.tags)] })).tags;
    });
  }
}

function refuseMissing(tags: Tags, tag: string): void {
  if (!tags.includes(tag)) throw new NotFoundError('project tag', tag);
}
