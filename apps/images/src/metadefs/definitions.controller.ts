/** Routes of all kinds of definitions. Controllers extend the class, and override some. */
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, type RequestContext } from '@cumulet/common/context/request-context';
import { Operation, takes } from '@cumulet/common/http/operation';
import { Body, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import type { Definition, Definitions, NewDefinition } from './definitions.js';
import { InNamespace, NameParam } from './metadef-requests.js';

export interface DefinitionRoutes<Row extends Definition, Dto extends object> {
  readonly words: { readonly one: string; readonly many: string };
  readonly definitions: Definitions<Row>;
  readonly parameter: string;
  readonly body: Type<Dto>;
  readonly view: Type;
  readonly list: Type;
  readonly rowOf: (dto: Dto) => NewDefinition<Row>;
  readonly viewOf: (row: Row, namespace: string) => object;
  readonly listOf: (rows: readonly Row[], namespace: string) => object;
}

export function definitionsController<Row extends Definition, Dto extends object>({
  words,
  definitions,
  parameter,
  ...wire
}: DefinitionRoutes<Row, Dto>) {
  abstract class DefinitionsController {
    @Post()
    @Allow('admin')
    @Operation(`Create ${words.one}`, wire.view, { creates: true, errors: [409] })
    async create(
      @Ctx() ctx: RequestContext,
      @InNamespace() namespace: string,
      @Body() body: object,
    ): Promise<object> {
      const given = wire.rowOf(body as Dto);
      return wire.viewOf(await definitions.create(ctx, namespace, given), namespace);
    }

    @Get()
    @Allow('reader')
    @Operation(`List ${words.many}`, wire.list)
    async list(@Ctx() ctx: RequestContext, @InNamespace() namespace: string): Promise<object> {
      return wire.listOf(await definitions.list(ctx, namespace), namespace);
    }

    @Delete()
    @Allow('admin')
    @Operation(`Delete all ${words.many}`, null)
    deleteAll(@Ctx() ctx: RequestContext, @InNamespace() namespace: string): Promise<void> {
      return definitions.removeAll(ctx, namespace);
    }

    @Get(`:${parameter}`)
    @Allow('reader')
    @Operation(`Show ${words.one}`, wire.view)
    async show(
      @Ctx() ctx: RequestContext,
      @InNamespace() namespace: string,
      @NameParam(parameter) name: string,
    ): Promise<object> {
      return wire.viewOf(await definitions.show(ctx, namespace, name), namespace);
    }

    @Put(`:${parameter}`)
    @Allow('admin')
    @Operation(`Replace ${words.one}`, wire.view, { errors: [409] })
    async replace(
      @Ctx() ctx: RequestContext,
      @InNamespace() namespace: string,
      @NameParam(parameter) name: string,
      @Body() body: object,
    ): Promise<object> {
      const given = wire.rowOf(body as Dto);
      return wire.viewOf(await definitions.replace(ctx, namespace, name, given), namespace);
    }

    @Delete(`:${parameter}`)
    @Allow('admin')
    @Operation(`Delete ${words.one}`, null)
    delete(
      @Ctx() ctx: RequestContext,
      @InNamespace() namespace: string,
      @NameParam(parameter) name: string,
    ): Promise<void> {
      return definitions.remove(ctx, namespace, name);
    }
  }

  takes(DefinitionsController, 'create', Object, String, wire.body);
  takes(DefinitionsController, 'replace', Object, String, String, wire.body);
  return DefinitionsController;
}
