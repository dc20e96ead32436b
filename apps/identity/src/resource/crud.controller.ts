/**
 * The five routes that a resource of Keystone has: list, create, show, change and delete. A
 * controller extends what `crudController` makes; a route with more to it is written there, in place
 * of the one that stands here.
 */
import { Body, Delete, Get, Param, Patch, Post, Query, type Type } from '@nestjs/common';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { takes } from '@cumulet/common/http/takes';
import type { Operation as PolicyOperation } from '../policy/policy.js';
import { Protected } from '../policy/protected.js';
import { changeOf } from './change-of.js';
import type { PageQuery, ResourceDto } from './resource.dto.js';
import type { ResourceRow, ResourceService } from './resource.service.js';
import {
  givenUnder,
  listedUnder,
  pageView,
  resourceView,
  shownUnder,
  type ResourceView,
  type ResourceViewer,
} from './resource.view.js';

/** Kinds whose five operations stand in the policy. */
type CrudKind = {
  [O in PolicyOperation]: O extends `identity:update_${infer Kind}` ? Kind : never;
}[PolicyOperation];

export interface CrudOptions<Kind extends CrudKind> {
  /** As bodies name one: `region`. */
  readonly kind: Kind;
  /** As lists name them, `policies`; `regions` unless given. */
  readonly plural?: string;
  /** Where they are, below `/v3`; as lists name them unless given. */
  readonly path?: string;
  readonly query: Type<PageQuery>;
  readonly create: Type<ResourceDto>;
  /** What a change may name; what a new one may, and all of it optional, unless given. */
  readonly update?: Type<ResourceDto>;
  readonly view: Type<ResourceView>;
  /** Statuses of further refusals. */
  readonly errors?: {
    readonly create?: number[];
    readonly update?: number[];
    readonly delete?: number[];
  };
}

export function crudController<Row extends ResourceRow, Dto extends object>({
  kind,
  plural = `${kind}s`,
  path = plural,
  errors = {},
  ...types
}: CrudOptions<CrudKind>) {
  const id = `${kind}_id`;
  const words = kind.replaceAll('_', ' ');
  const article = /^[aeiou]/.test(kind) && !kind.startsWith('u') ? 'an' : 'a';
  const shown = shownUnder(kind, types.view);
  const listed = listedUnder(plural, types.view);
  const view: ResourceViewer<Row> = resourceView<Row>(types.view, path);
  const operation = (verb: string, noun: string = kind) =>
    Protected(`identity:${verb}_${noun}` as PolicyOperation);

  abstract class CrudController {
    /** The class of `{"region": {…}}`, for routes beside these five. */
    static readonly answer = shown;

    protected constructor(readonly service: ResourceService<Row, Dto>) {}

    @Get()
    @operation('list', plural)
    @Operation(`List ${plural.replaceAll('_', ' ')}`, listed, { errors: [404] })
    async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<object> {
      return pageView(ctx, plural, await this.service.list(ctx, query), view);
    }

    @Post()
    @operation('create')
    @Operation(`Create ${article} ${words}`, shown, { errors: errors.create ?? [] })
    async create(@Ctx() ctx: RequestContext, @Body() body: Record<string, Dto>): Promise<object> {
      return this.shown(ctx, await this.service.create(ctx, body[kind] as Dto));
    }

    @Get(`:${id}`)
    @operation('get')
    @Operation(`Show ${article} ${words}`, shown)
    async show(@Ctx() ctx: RequestContext, @Param(id) key: string): Promise<object> {
      return this.shown(ctx, await this.service.get(ctx, key));
    }

    @Patch(`:${id}`)
    @operation('update')
    @Operation(`Update ${article} ${words}`, shown, { errors: errors.update ?? [] })
    async update(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Body() body: Record<string, Partial<Dto>>,
    ): Promise<object> {
      return this.shown(ctx, await this.service.update(ctx, key, body[kind] as Partial<Dto>));
    }

    @Delete(`:${id}`)
    @operation('delete')
    @Operation(`Delete ${article} ${words}`, null, { errors: errors.delete ?? [] })
    delete(@Ctx() ctx: RequestContext, @Param(id) key: string): Promise<void> {
      return this.service.delete(ctx, key);
    }

    shown(ctx: RequestContext, row: Row): object {
      return { [kind]: view(row, ctx.baseUrl) };
    }
  }

  takes(CrudController, 'list', Object, types.query);
  takes(CrudController, 'create', Object, givenUnder(kind, types.create));
  takes(
    CrudController,
    'update',
    Object,
    String,
    givenUnder(kind, types.update ?? changeOf(types.create)),
  );
  return CrudController;
}
