import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Body, Get, Headers, Post, Query } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { definitionsController } from '../definitions.controller.js';
import { InNamespace, MetadefController, NameParam } from '../metadef-requests.js';
import * as dto from './tag.dto.js';
import { metadefTags, MetadefTag } from './tag.entity.js';

const APPEND = 'X-Openstack-Append';

const Definitions = definitionsController<MetadefTag, dto.MetadefTagDto>({
  words: { one: 'a tag definition', many: 'tag definitions' },
  definitions: metadefTags,
  parameter: 'tag_name',
  body: dto.MetadefTagDto,
  view: dto.MetadefTagView,
  list: dto.MetadefTagList,
  rowOf: (tag) => tag,
  viewOf: dto.tagView,
  listOf: (rows) => ({ tags: rows.map(dto.tagName) }),
});

@MetadefController('namespaces/:namespace_name/tags')
export class MetadefTagsController extends Definitions {
  @Post()
  @Allow('admin')
  @ApiHeader({ name: APPEND, required: false, description: 'Whether the tags there are stay.' })
  @Operation('Create tag definitions', dto.MetadefTagList, { creates: true, errors: [409] })
  override async create(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @Body() { tags }: dto.NewMetadefTagsDto,
    @Headers(APPEND) append?: string,
  ): Promise<dto.MetadefTagList> {
    const rows = await metadefTags.createMany(ctx, namespace, tags, dto.isTrue(append));
    return { tags: rows.map(dto.tagName) };
  }

  @Post(':tag_name')
  @Allow('admin')
  @Operation('Create a tag definition', dto.MetadefTagView, { creates: true, errors: [409] })
  async createNamed(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @NameParam('tag_name') name: string,
  ): Promise<dto.MetadefTagView> {
    return dto.tagView(await metadefTags.create(ctx, namespace, dto.tagNamed(name)));
  }

  @Get()
  @Allow('reader')
  @Operation('List tag definitions', dto.MetadefTagList)
  override async list(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @Query() query: dto.ListMetadefTagsQuery = {},
  ): Promise<dto.MetadefTagList> {
    const rows = await metadefTags.page(ctx, namespace, query);
    return { tags: rows.map(dto.tagName) };
  }
}

@Feature({ controllers: [MetadefTagsController], entities: [MetadefTag] })
export class MetadefTagsModule {}
