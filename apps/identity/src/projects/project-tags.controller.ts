import { Body, Controller, Delete, Get, Injectable, Param, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Protected } from '../policy/protected.js';
import { MAX_TAGS, ReadOnlyField, tagFault, TagsField } from '../resource/resource.dto.js';
import { NotFoundError, refuseImmutable } from '../resource/resource.errors.js';
import { listLinks, ListLinksView } from '../resource/resource.view.js';
import { projects } from './project.repository.js';

class ProjectTagsBody {
  @TagsField()
  tags: string[];

  @ReadOnlyField()
  links?: unknown;
}

const ProjectTagsView = answerClass('ProjectTagsView', {
  tags: Shown([String], 'The tags, in the order in which they were given.'),
  links: Shown(() => ListLinksView, 'Links to the list.'),
});

type Tags = readonly string[];

/** Public source: Keystone API reference, "Project tags". */
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
   * @returns the tag as it is stored
   * @throws InvalidInputError for a malformed tag, one that exists, and one too many
   * @throws NotFoundError, ImmutableError
   */
  async add(ctx: RequestContext, projectId: string, wanted: string): Promise<string> {
    const fault = tagFault(wanted);
    if (fault !== undefined)
      throw new InvalidInputError(`Invalid input: the tag '${wanted}' ${fault}.`);
    const tag = wanted.trim();
    await this.change(ctx, projectId, (tags) => {
      const full = tags.length >= MAX_TAGS && `the maximum of ${MAX_TAGS} tags already`;
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

  /** @param next makes the new tags of the current ones. @throws NotFoundError, ImmutableError */
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

interface TagIds {
  readonly project_id: string;
  readonly tag: string;
}

@ApiTags('projects')
@Controller('v3/projects/:project_id/tags')
export class ProjectTagsController {
  constructor(private readonly tags: ProjectTagsService) {}

  @Get()
  @Protected('identity:list_project_tags')
  @Operation("List a project's tags", ProjectTagsView)
  async list(@Ctx() ctx: RequestContext, @Param() ids: TagIds): Promise<object> {
    return { tags: await this.tags.list(ctx, ids.project_id), links: listLinks(ctx) };
  }

  @Put()
  @Protected('identity:update_project_tags')
  @Operation("Replace a project's tags", ProjectTagsView)
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Body() { tags }: ProjectTagsBody,
  ): Promise<object> {
    return { tags: await this.tags.change(ctx, id, () => tags), links: listLinks(ctx) };
  }

  @Delete()
  @Protected('identity:delete_project_tags')
  @Operation("Remove a project's tags", null)
  async clear(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<void> {
    await this.tags.change(ctx, id, () => []);
  }

  @Get(':tag')
  @Protected('identity:get_project_tag')
  @Operation('Check whether a project has a tag', null)
  check(@Ctx() ctx: RequestContext, @Param() ids: TagIds): Promise<void> {
    return this.tags.check(ctx, ids.project_id, ids.tag);
  }

  @Put(':tag')
  @Protected('identity:create_project_tag')
  @Operation('Add a tag to a project', null, { status: 201 })
  async add(
    @Ctx() ctx: RequestContext,
    @Param() { project_id: id, tag: wanted }: TagIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const tag = encodeURIComponent(await this.tags.add(ctx, id, wanted));
    void reply.header('Location', `${ctx.baseUrl}/v3/projects/${id}/tags/${tag}`);
  }

  @Delete(':tag')
  @Protected('identity:delete_project_tag')
  @Operation('Remove a tag from a project', null)
  remove(@Ctx() ctx: RequestContext, @Param() ids: TagIds): Promise<void> {
    return this.tags.remove(ctx, ids.project_id, ids.tag);
  }
}
