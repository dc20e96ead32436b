/**
 * The five routes of a resource of Keystone: list, create, show, update and delete. Controllers extend
 * `crudController`, or `bulkController` where several are created at once, and override routes.
 */
import { Body, Delete, Get, Inject, Param, Patch, Post, Query, type Type } from '@nestjs/common';
import { Ctx, type RequestContext } from '@cumulet/common/context/request-context';
import { Operation, takes } from '@cumulet/common/http/operation';
import type { Operation as PolicyOperation } from '../policy/policy.js';
import { Protected } from '../policy/protected.js';
import { changeOf, type PageQuery } from './resource.dto.js';
import type { ResourceRow, ResourceService } from './resource.service.js';
import {
  allGivenUnder,
  allShownUnder,
  givenUnder,
  listedUnder,
  pageView,
  resourceView,
  shownUnder,
  type ResourceView,
} from './resource.view.js';

/** Kinds whose five operations the policy has. */
type CrudKind = {
  [O in PolicyOperation]: O extends `identity:update_${infer Kind}` ? Kind : never;
}[PolicyOperation];

type CrudService = Pick<
  ResourceService<ResourceRow, object>,
  keyof ResourceService<ResourceRow, object>
>;

export interface CrudOptions<Service extends CrudService> {
  /** In bodies: `region`. */
  readonly kind: CrudKind;
  /** In lists: `policies`; by default, `kind` with an s. */
  readonly plural?: string;
  /** Below `/v3`; by default, `plural`. */
  readonly path?: string;
  readonly service: Type<Service>;
  readonly query: Type<PageQuery>;
  readonly create: Type<object>;
  /** By default, `create` with all properties optional. */
  readonly update?: Type<object>;
  readonly view: Type<Pick<ResourceView, 'id' | 'links'>>;
  readonly errors?: {
    readonly create?: number[];
    readonly update?: number[];
    readonly delete?: number[];
  };
}

function resourceController<Service extends CrudService>({
  kind,
  plural = `${kind}s`,
  path = plural,
  errors = {},
  ...types
}: CrudOptions<Service>) {
  const id = `${kind}_id`;
  const shown = shownUnder(kind, types.view);
  const listed = listedUnder(plural, types.view);
  const view = resourceView(types.view, path);

  abstract class ResourceController {
    @Inject(types.service)
    readonly service: Service;

    @Get()
    @ProtectedAs('list', plural)
    @Operation(`List ${words(plural)}`, listed, { errors: [404] })
    async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<object> {
      return pageView(ctx, plural, await this.service.list(ctx, query), view);
    }

    @Get(`:${id}`)
    @ProtectedAs('get', kind)
    @Operation(`Show ${one(kind)}`, shown)
    async show(@Ctx() ctx: RequestContext, @Param(id) key: string): Promise<object> {
      return this.shown(ctx, await this.service.get(ctx, key));
    }

    @Patch(`:${id}`)
    @ProtectedAs('update', kind)
    @Operation(`Update ${one(kind)}`, shown, { errors: errors.update ?? [] })
    async update(
      @Ctx() ctx: RequestContext,
      @Param(id) key: string,
      @Body() body: Record<string, object>,
    ): Promise<object> {
      return this.shown(ctx, await this.service.update(ctx, key, body[kind] ?? {}));
    }

    @Delete(`:${id}`)
    @ProtectedAs('delete', kind)
    @Operation(`Delete ${one(kind)}`, null, { errors: errors.delete ?? [] })
    delete(@Ctx() ctx: RequestContext, @Param(id) key: string): Promise<void> {
      return this.service.delete(ctx, key);
    }

    shown(ctx: RequestContext, row: ResourceRow): object {
      return { [kind]: this.view(ctx, row) };
    }

    view(ctx: RequestContext, row: ResourceRow): object {
      return view(row, ctx.baseUrl);
    }
  }

  const change = givenUnder(kind, types.update ?? changeOf(types.create));
  takes(ResourceController, 'list', Object, types.query);
  takes(ResourceController, 'update', Object, String, change);
  return ResourceController;
}

/** Creates one: `{"region": {…}}`. */
export function crudController<Service extends CrudService>(options: CrudOptions<Service>) {
  const { kind, create, view, errors = {} } = options;

  abstract class CrudController extends resourceController(options) {
    @Post()
    @ProtectedAs('create', kind)
    @Operation(`Create ${one(kind)}`, shownUnder(kind, view), {
      creates: true,
      errors: errors.create ?? [],
    })
    async create(
      @Ctx() ctx: RequestContext,
      @Body() body: Record<string, object>,
    ): Promise<object> {
      return this.shown(ctx, await this.service.create(ctx, body[kind] ?? {}));
    }
  }

  takes(CrudController, 'create', Object, givenUnder(kind, create));
  return CrudController;
}

/** Creates several at once, or none: `{"limits": [{…}]}`. */
export function bulkController<Service extends CrudService>(options: CrudOptions<Service>) {
  const { kind, plural = `${kind}s`, create, view, errors = {} } = options;
  const created = allShownUnder(plural, view);

  abstract class BulkController extends resourceController(options) {
    @Post()
    @ProtectedAs('create', plural)
    @Operation(`Create ${words(plural)}`, created, {
      creates: true,
      errors: errors.create ?? [],
    })
    async create(
      @Ctx() ctx: RequestContext,
      @Body() body: Record<string, object[]>,
    ): Promise<object> {
      const rows = await this.service.createAll(ctx, body[plural] ?? []);
      return { [plural]: rows.map((row) => this.view(ctx, row)) };
    }
  }

  takes(BulkController, 'create', Object, allGivenUnder(plural, create));
  return BulkController;
}

function ProtectedAs(verb: string, noun: string): MethodDecorator {
  return Protected(`identity:${verb}_${noun}` as PolicyOperation);
}

function words(kind: string): string {
  return kind.replaceAll('_', ' ');
}

/** With its article: `an endpoint`, `a user`. */
function one(kind: string): string {
  return `${/^[aeiou]/.test(kind) && !kind.startsWith('u') ? 'an' : 'a'} ${words(kind)}`;
}
