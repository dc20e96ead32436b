import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Body, Get, Headers, Post, Query } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { definitionsController } from '../definitions.controller.js';
import { InNamespace, MetadefController, NameParam } from '../metadef-requests.js';
import * as resource from './tag.resource.js';

const APPEND = 'X-Openstack-Append';

const Definitions = definitionsController<resource.MetadefTag, resource.MetadefTagDto>({
  words: { one: 'a tag definition', many: 'tag definitions' },
  definitions: resource.metadefTags,
  parameter: 'tag_name',
  body: resource.MetadefTagDto,
  view: resource.MetadefTagView,
  list: resource.MetadefTagList,
  rowOf: resource.tagOf,
  viewOf: resource.tagView,
  listOf: (rows) => ({ tags: rows.map(resource.tagName) }),
});

@MetadefController('namespaces/:namespace_name/tags')
export class MetadefTagsController extends Definitions {
  @Post()
  @Allow('admin')
  @ApiHeader({ name: APPEND, required: false, description: 'Whether existing tags are kept.' })
  @Operation('Create tag definitions', resource.MetadefTagList, { creates: true, errors: [409] })
  override async create(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @Body() { tags }: resource.NewMetadefTagsDto,
    @Headers(APPEND) append?: string,
  ): Promise<object> {
    const rows = await resource.metadefTags.createMany(
      ctx,
      namespace,
      tags.map(resource.tagOf),
      isTrue(append),
    );
    return { tags: rows.map(resource.tagName) };
  }

  @Post(':tag_name')
  @Allow('admin')
  @Operation('Create a tag definition', resource.MetadefTagView, { creates: true, errors: [409] })
  async createNamed(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @NameParam('tag_name') name: string,
  ): Promise<object> {
    return resource.tagView(
      await resource.metadefTags.create(ctx, namespace, resource.tagNamed(name)),
    );
  }

  @Get()
  @Allow('reader')
  @Operation('List tag definitions', resource.MetadefTagList)
  override async list(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @Query() query: resource.ListMetadefTagsQuery = {},
  ): Promise<object> {
    const rows = await resource.metadefTags.page(ctx, namespace, query);
    return { tags: rows.map(resource.tagName) };
  }
}

/** OpenStack's spellings of true; anything else is false. */
function isTrue(header: string | undefined): boolean {
  return /^\s*(1|t|true|on|y|yes)\s*$/i.test(header ?? '');
}

@Feature({ controllers: [MetadefTagsController], entities: [resource.MetadefTag] })
export class MetadefTagsModule {}
