import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  UseGuards,
} from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { NamePipe } from '../name.pipe.js';
import { ReadOnlyGuard } from '../read-only.guard.js';
import type { MetadefView } from '../shown-fields.js';
import { isTrue, MetadefTagDto, NewMetadefTagsDto, tagNamed } from './tag.dto.js';
import { MetadefTag } from './tag.entity.js';
import { ListMetadefTagsQuery } from './tag.query.js';
import { TagRepository } from './tag.repository.js';
import { tagListView, tagView } from './tag.view.js';
import { MetadefTagsService } from './tags.service.js';

const APPEND = 'X-Openstack-Append';

/** Public source: Image API reference, "Metadata definition tags". */
@ApiTags('metadata definitions')
@Controller('v2/metadefs/namespaces/:namespace_name/tags')
@UseGuards(ReadOnlyGuard)
export class MetadefTagsController {
  constructor(private readonly tags: MetadefTagsService) {}

  @Post()
  @Allow('admin')
  @ApiHeader({ name: APPEND, required: false, description: 'Whether the tags there are stay.' })
  async createMany(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Body() { tags }: NewMetadefTagsDto,
    @Headers(APPEND) append?: string,
  ): Promise<MetadefView> {
    return tagListView(await this.tags.createMany(ctx, namespace, tags, isTrue(append)));
  }

  @Get()
  @Allow('reader')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Query() query: ListMetadefTagsQuery,
  ): Promise<MetadefView> {
    return tagListView(await this.tags.page(ctx, namespace, query));
  }

  @Delete()
  @HttpCode(204)
  @Allow('admin')
  async deleteAll(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
  ): Promise<void> {
    await this.tags.removeAll(ctx, namespace);
  }

  @Post(':tag_name')
  @Allow('admin')
  async create(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('tag_name', NamePipe) name: string,
  ): Promise<MetadefView> {
    return tagView(await this.tags.create(ctx, namespace, tagNamed(name)));
  }

  @Get(':tag_name')
  @Allow('reader')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('tag_name', NamePipe) name: string,
  ): Promise<MetadefView> {
    return tagView(await this.tags.show(ctx, namespace, name));
  }

  @Put(':tag_name')
  @Allow('admin')
  async rename(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('tag_name', NamePipe) name: string,
    @Body() body: MetadefTagDto,
  ): Promise<MetadefView> {
    return tagView(await this.tags.replace(ctx, namespace, name, body));
  }

  @Delete(':tag_name')
  @HttpCode(204)
  @Allow('admin')
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('tag_name', NamePipe) name: string,
  ): Promise<void> {
    await this.tags.remove(ctx, namespace, name);
  }
}

@Feature({
  controllers: [MetadefTagsController],
  providers: [MetadefTagsService, TagRepository],
  entities: [MetadefTag],
})
export class MetadefTagsModule {}
