import { Body, Controller, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { Protected } from '../policy/protected.js';
import { ProjectTagsBody } from './project-tag.dto.js';
import { projectTagsView, projectTagUrl } from './project-tag.view.js';
import { ProjectTagsService } from './project-tags.service.js';

@ApiTags('projects')
@Controller('v3/projects/:project_id/tags')
export class ProjectTagsController {
  constructor(private readonly tags: ProjectTagsService) {}

  @Get()
  @Protected('identity:list_project_tags')
  async list(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<object> {
    return projectTagsView(ctx, await this.tags.list(ctx, id));
  }

  @Put()
  @Protected('identity:update_project_tags')
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Body() { tags }: ProjectTagsBody,
  ): Promise<object> {
    return projectTagsView(ctx, await this.tags.replace(ctx, id, tags));
  }

  @Delete()
  @Protected('identity:delete_project_tags')
  @HttpCode(204)
  async clear(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<void> {
    await this.tags.replace(ctx, id, []);
  }

  @Get(':tag')
  @Protected('identity:get_project_tag')
  @HttpCode(204)
  check(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Param('tag') tag: string,
  ): Promise<void> {
    return this.tags.check(ctx, id, tag);
  }

  @Put(':tag')
  @Protected('identity:create_project_tag')
  @HttpCode(201)
  async add(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Param('tag') wanted: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const tag = await this.tags.add(ctx, id, wanted);
    void reply.header('Location', projectTagUrl(ctx.baseUrl, id, tag));
  }

  @Delete(':tag')
  @Protected('identity:delete_project_tag')
  @HttpCode(204)
  remove(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Param('tag') tag: string,
  ): Promise<void> {
    return this.tags.remove(ctx, id, tag);
  }
}

@Feature({
  controllers: [ProjectTagsController],
  providers: [ProjectTagsService],
})
export class ProjectTagsModule {}
