/**
 * The routes of a resource of Octavia's: list, create, show, update, delete. A controller extends
 * what `resourceController` makes; a route with more to it is written there.
 */
import { Body, Delete, Get, Inject, Param, Post, Put, Query, type Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext, type Role } from '@cumulet/common/context/request-context';
import { TakesBody } from '@cumulet/common/http/body-limits';
import { Operation } from '@cumulet/common/http/operation';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { fieldsOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { pageLinks } from '@cumulet/common/resources/page-links';
import { onlyUnder, readChange, readOne } from '@cumulet/common/resources/read-body';
import {
  ApiQueries,
  bodySchemas,
  queryParameters,
} from '@cumulet/common/resources/resource.openapi';
import type { Resource } from '@cumulet/common/resources/resource';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { octaviaQuery } from './octavia-query.js';

/** The parameters of a path: `pool_id` of `pools/{pool_id}/members`. */
export type Path = Readonly<Record<string, string>>;

/** Limits of bodies that may have all members of a pool. */
export const LARGE_BODY = { values: 500_000, containers: 100_000, items: 20_000, texts: 50_000 };

export interface ResourceService<Row, A extends object> {
  /** @param query with the order and the limit in the way that lists read */
  list(ctx: RequestContext, query: ListQuery, path: Path): Promise<PageOfRows<Row>>;
  get(ctx: RequestContext, id: string, path: Path): Promise<Row>;
  create(ctx: RequestContext, body: NewBody<A>, path: Path): Promise<Row>;
  update(ctx: RequestContext, id: string, body: ChangeBody<A>, path: Path): Promise<Row>;
  remove(ctx: RequestContext, id: string, path: Path): Promise<void>;
}

export interface ResourceOptions {
  /** Its name in sentences: `L7 policy`; the resource's name by default. */
  readonly title?: string;
  readonly titles?: string;
  /** The path's parameter; `pool_id` by default. */
  readonly id?: string;
  /** Who reads them, and who creates, changes and deletes them; readers and members by default. */
  readonly readers?: Role;
  readonly writers?: Role;
  /** Statuses of further refusals of a create or an update. */
  readonly errors?: readonly number[];
  /** Bytes that the body of a create may have, if not as many as everywhere. */
  readonly createBytes?: number;
}

export function resourceController<Row extends { readonly id: string }, A extends object>(
  resource: Resource<A>,
  service: Type<ResourceService<Row, A>>,
  options: ResourceOptions = {},
) {
  const { singular, plural } = resource;
  const { title = singular, titles = `${title}s`, id = `${singular}_id` } = options;
  const { readers = 'reader', writers = 'member', errors = [], createBytes: bytes } = options;
  const one = `${/^[aeiouL]/.test(title) ? 'an' : 'a'} ${title}`;
  const views = viewsOf(resource);
  const schemas = bodySchemas(resource);

  abstract class ResourceController {
    @Inject(service)
    readonly service: ResourceService<Row, A>;

    @Get()
    @Allow(readers)
    @ApiQueries([...queryParameters(resource), 'sort'])
    @Operation(`List ${titles}`, views.list, { errors: [404] })
    async list(
      @Ctx() ctx: RequestContext,
      @Param() path: Path,
      @Query() query: object,
    ): Promise<object> {
      const asked = octaviaQuery(resource, query as ListQuery);
      const { rows } = await this.service.list(ctx, asked, path);
      const links = pageLinks(ctx, asked, rows);
      return {
        [plural]: rows.map((row) => views.show(ctx, row, fieldsOf(asked))),
        ...(links.length > 0 ? { [`${plural}_links`]: links } : {}),
      };
    }

    @Post()
    @Allow(writers)
    @TakesBody(bytes === undefined ? {} : { bytes, ...LARGE_BODY })
    @ApiBody({ schema: schemas.createOne })
    @Operation(`Create ${one}`, views.one, { creates: true, errors: [404, 409, ...errors] })
    async create(
      @Ctx() ctx: RequestContext,
      @Param() path: Path,
      @Body() body: object,
    ): Promise<object> {
      const given = readOne(resource, onlyUnder(singular, body));
      const row = await this.service.create(ctx, given, path);
      return { [singular]: await this.shownNew(ctx, row) };
    }

    /** How what is new is answered: by default, as it is shown later. */
    shownNew(ctx: RequestContext, row: Row): Promise<object> {
      return Promise.resolve(views.show(ctx, row));
    }

    @Get(`:${id}`)
    @Allow(readers)
    @Operation(`Show ${one}`, views.one)
    async show(
      @Ctx() ctx: RequestContext,
      @Param() path: Path,
      @Query() query: object,
    ): Promise<object> {
      const row = await this.service.get(ctx, path[id] ?? '', path);
      return { [singular]: views.show(ctx, row, fieldsOf(query as ListQuery)) };
    }

    @Put(`:${id}`)
    @Allow(writers)
    @ApiBody({ schema: schemas.update })
    @Operation(`Update ${one}`, views.one, { errors: [409, ...errors] })
    async update(
      @Ctx() ctx: RequestContext,
      @Param() path: Path,
      @Body() body: object,
    ): Promise<object> {
      const change = readChange(resource, onlyUnder(singular, body));
      const row = await this.service.update(ctx, path[id] ?? '', change, path);
      return { [singular]: views.show(ctx, row) };
    }

    @Delete(`:${id}`)
    @Allow(writers)
    @Operation(`Delete ${one}`, null, { errors: [409] })
    remove(@Ctx() ctx: RequestContext, @Param() path: Path): Promise<void> {
      return this.service.remove(ctx, path[id] ?? '', path);
    }
  }
  return ResourceController;
}
