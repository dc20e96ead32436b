/**
 * The routes of a resource: list, create, show, update, delete, and its tags. Controllers extend
 * the class that `resourceController` returns, and add or override routes.
 */
import { Body, Delete, Get, Headers, Inject, Param, Post, Put, Query } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext, type Role } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { fieldsOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { pageLinks } from '@cumulet/common/resources/page-links';
import { readChange, readNew } from '@cumulet/common/resources/read-body';
import type { Resource } from '@cumulet/common/resources/resource';
import {
  ApiQueries,
  bodySchemas,
  queryParameters,
} from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { HTTPBadRequestError, InvalidInputError } from '@cumulet/common/resources/resource.errors';
import { Refusal, setOf, text } from '@cumulet/common/resources/value-type';
import type { ResourceRow } from './resource.table.js';
import type { Standard } from './resource.js';
import type { ResourceService } from './resource.service.js';
import { revisionOf } from './revision.js';
import { TagNotFoundError } from './resource.errors.js';

/** Public source: Networking API reference, "Standard Attributes Tag Extension". */
const TagsView = answerClass('TagsView', {
  tags: Shown([String], 'The tags of the resource.'),
});

const tagList = setOf(text());

/** @param body `{"tags": ["red"]}` */
function readTags(body: unknown): readonly string[] {
  const { tags } = body as { readonly tags?: unknown };
  if (tags === undefined) throw new HTTPBadRequestError('Invalid tags body');
  try {
    return tagList.read(tags);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidInputError(error.message) : error;
  }
}

function readTag(tag: string): string {
  return readTags({ tags: [tag] })[0] ?? tag;
}

export interface ResourceOptions {
  /** The role that may create, change and delete; by default, member. */
  readonly writers?: Role;
  /** Further error statuses. */
  readonly create?: readonly number[];
  readonly update?: readonly number[];
  readonly delete?: readonly number[];
}

export function resourceController<Row extends ResourceRow, A extends Standard>(
  resource: Resource<A>,
  service: Type<ResourceService<Row, A>>,
  options: ResourceOptions = {},
) {
  const { writers = 'member', ...errors } = options;
  const { singular, plural } = resource;
  const [one, several] = [withArticle(singular), plural.replaceAll('_', ' ')];
  const id = `${singular}_id`;
  const views = viewsOf(resource);
  const schemas = bodySchemas(resource);

  abstract class ResourceController {
    static readonly resource: Resource<A> = resource;

    @Inject(service)
    readonly service: ResourceService<Row, A>;

    @Get()
    @Allow('reader')
    @ApiQueries(queryParameters(resource))
    @Operation(`List ${several}`, views.list, { errors: [404] })
    async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
      const asked = query as ListQuery;
      const { rows } = await this.service.list(ctx, asked);
      const links = pageLinks(ctx, asked, rows);
      return {
        [plural]: rows.map((row) => views.show(ctx, row, fieldsOf(asked))),
        ...(links.length > 0 ? { [`${plural}_links`]: links } : {}),
      };
    }

    @Post()
    @Allow(writers)
    @ApiBody({ schema: schemas.create })
    @Operation(`Create ${one}, or several at once`, views.created, {
      creates: true,
      errors: [404, 409, ...(errors.create ?? [])],
    })
    async create(@Ctx() ctx: RequestContext, @Body() body: object): Promise<object> {
      const { bodies, isBulk } = readNew(resource, body);
      const rows = await this.service.create(ctx, bodies);
      const shown = rows.map((row) => views.show(ctx, row));
      return isBulk ? { [plural]: shown } : { [singular]: shown[0] };
    }

    @Get(`:${id}`)
    @Allow('reader')
    @Operation(`Show ${one}`, views.one)
    async show(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Query() query: object,
    ): Promise<object> {
      const row = await this.service.get(ctx, key);
      return { [singular]: views.show(ctx, row, fieldsOf(query as ListQuery)) };
    }

    @Put(`:${id}`)
    @Allow(writers)
    @ApiBody({ schema: schemas.update })
    @Operation(`Update ${one}`, views.one, { errors: [409, 412, ...(errors.update ?? [])] })
    async update(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Body() body: object,
      @Headers('if-match') condition?: string,
    ): Promise<object> {
      const change = readChange(resource, body);
      const row = await this.service.update(ctx, key, change, revisionOf(condition));
      return { [singular]: views.show(ctx, row) };
    }

    @Delete(`:${id}`)
    @Allow(writers)
    @Operation(`Delete ${one}`, null, { errors: [409, 412, ...(errors.delete ?? [])] })
    delete(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Headers('if-match') condition?: string,
    ): Promise<void> {
      return this.service.remove(ctx, key, revisionOf(condition));
    }

    @Get(`:${id}/tags`)
    @Allow('reader')
    @Operation(`List the tags of ${one}`, TagsView)
    async tags(@Ctx() ctx: RequestContext, @Param(id) key: string): Promise<object> {
      return { tags: (await this.service.get(ctx, key)).tags };
    }

    @Post(`:${id}/tags`)
    @Allow(writers)
    @Operation(`Add tags to ${one}`, TagsView, { creates: false })
    async addTags(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Body() body: object,
    ): Promise<object> {
      const added = readTags(body);
      return { tags: await this.service.retag(ctx, key, (tags) => [...tags, ...added]) };
    }

    @Put(`:${id}/tags`)
    @Allow(writers)
    @Operation(`Replace the tags of ${one}`, TagsView)
    async replaceTags(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Body() body: object,
    ): Promise<object> {
      const tags = readTags(body);
      return { tags: await this.service.retag(ctx, key, () => tags) };
    }

    @Delete(`:${id}/tags`)
    @Allow(writers)
    @Operation(`Remove all tags of ${one}`, null)
    async removeTags(@Ctx() ctx: RequestContext, @Param(id) key: string): Promise<void> {
      await this.service.retag(ctx, key, () => []);
    }

    @Get(`:${id}/tags/:tag`)
    @Allow('reader')
    @Operation(`Confirm a tag of ${one}`, null)
    async confirmTag(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Param('tag') tag: string,
    ): Promise<void> {
      const { tags } = await this.service.get(ctx, key);
      if (!tags.includes(tag)) throw new TagNotFoundError(tag);
    }

    @Put(`:${id}/tags/:tag`)
    @Allow(writers)
    @Operation(`Add a tag to ${one}`, null, { status: 201 })
    async addTag(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Param('tag') tag: string,
    ): Promise<void> {
      const added = readTag(tag);
      await this.service.retag(ctx, key, (tags) => [...tags, added]);
    }

    @Delete(`:${id}/tags/:tag`)
    @Allow(writers)
    @Operation(`Remove a tag of ${one}`, null)
    async removeTag(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Param('tag') tag: string,
    ): Promise<void> {
      await this.service.retag(ctx, key, (tags) => {
        if (!tags.includes(tag)) throw new TagNotFoundError(tag);
        return tags.filter((one) => one !== tag);
      });
    }
  }
  return ResourceController;
}

function withArticle(singular: string): string {
  return `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular.replaceAll('_', ' ')}`;
}
