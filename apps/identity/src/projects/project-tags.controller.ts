import { Body, Controller, Delete, Get, Param, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Protected } from '../policy/protected.js';
import { listLinks } from '../resource/resource.view.js';
import { ProjectTagsBody, ProjectTagsView } from './project-tag.dto.js';
import { ProjectTagsService } from './project-tags.service.js';

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
  async list(@Ctx() ctx: RequestContext, @Param() ids: TagIds): Promise<ProjectTagsView> {
    return { tags: await this.tags.list(ctx, ids.project_id), links: listLinks(ctx) };
  }

  @Put()
  @Protected('identity:update_project_tags')
  @Operation("Replace a project's tags", ProjectTagsView)
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Body() { tags }: ProjectTagsBody,
  ): Promise<ProjectTagsView> {
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

@Feature({ controllers: [ProjectTagsController], providers: [ProjectTagsService] })
export class ProjectTagsModule {}
