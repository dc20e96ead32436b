import { randomUUID } from 'node:crypto';
import { Allow } from '@cumulet/common/auth/access';
import { asId } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Operation } from '@cumulet/common/http/operation';
import { oneOf } from '@cumulet/common/tables/condition';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { Feature } from '@cumulet/common/service/feature';
import { Body, Delete, Get, Post, Put, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { pageLinks } from '../../images/page-query.js';
import { NAMESPACES_PATH } from '../definitions.js';
import { InNamespace, MetadefController, ResourceTypeQuery } from '../metadef-requests.js';
import { metadefAssociations } from '../resource-types/resource-type.resource.js';
import * as dto from './namespace.dto.js';
import {
  MetadefNamespace,
  namespaces,
  requireUnprotected,
  visibleNamespace,
  visibleNamespaces,
  type NamespaceId,
} from './namespace.resource.js';

const MAX_LIMIT = 1000;

@MetadefController('namespaces')
export class NamespacesController {
  @Post()
  @Allow('admin')
  @Operation('Create a namespace', dto.NamespaceDetailView, { creates: true, errors: [409] })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: dto.NewNamespaceDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const values = { ...dto.namespaceOf(body, ctx.projectId), id: asId<NamespaceId>(randomUUID()) };
    const created = await inTransaction(ctx, async (tx) => {
      const row = await namespaces.insert(tx, values);
      return Object.assign(row, await dto.insertContents(tx, row, body));
    });
    // Headers cannot carry every character.
    const name = encodeURIComponent(created.namespace).replaceAll('%3A', ':');
    void reply.header('Location', `${ctx.baseUrl}${NAMESPACES_PATH}/${name}`);
    return dto.namespaceDetailView(created);
  }

  @Get()
  @Allow('reader')
  @Operation('List namespaces', dto.NamespaceList, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: dto.ListNamespacesQuery): Promise<object> {
    const { marker } = query;
    const page = await namespaces.list(ctx, {
      ...pageOfQuery(query, MAX_LIMIT),
      scope: visibleNamespaces(ctx),
      marker: marker === undefined ? undefined : { namespace: marker },
    });
    const ids = page.rows.map(({ id }) => id);
    const associations = await metadefAssociations.table.select(
      ctx,
      [oneOf('namespaceId', ids)],
      'ORDER BY created_at, name',
    );
    return {
      namespaces: page.rows.map((row) =>
        dto.namespaceView(
          Object.assign(row, {
            associations: associations.filter(({ namespaceId }) => namespaceId === row.id),
          }),
        ),
      ),
      ...pageLinks(ctx, page, ({ namespace }) => namespace),
      schema: '/v2/schemas/metadefs/namespaces',
    };
  }

  @Get(':namespace_name')
  @Allow('reader')
  @Operation('Show a namespace', dto.NamespaceDetailView)
  async show(
    @Ctx() ctx: RequestContext,
    @InNamespace() name: string,
    @Query() { resource_type: resourceType }: ResourceTypeQuery,
  ): Promise<object> {
    const row = await visibleNamespace(ctx, name);
    return dto.namespaceDetailView(
      Object.assign(row, await dto.contentsOf(ctx, row, resourceType)),
    );
  }

  @Put(':namespace_name')
  @Allow('admin')
  @Operation('Replace a namespace', dto.NamespaceView, { errors: [409] })
  async replace(
    @Ctx() ctx: RequestContext,
    @InNamespace() namespace: string,
    @Body() body: dto.NamespaceChangesDto,
  ): Promise<object> {
    const values = dto.namespaceOf(body, ctx.projectId);
    return dto.namespaceView(await namespaces.update(ctx, { namespace }, values));
  }

  @Delete(':namespace_name')
  @Allow('admin')
  @Operation('Delete a namespace', null)
  async delete(@Ctx() ctx: RequestContext, @InNamespace() namespace: string): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      requireUnprotected(await namespaces.lock(tx, { namespace }));
      await namespaces.delete(tx, { namespace });
    });
  }
}

@Feature({ controllers: [NamespacesController], entities: [MetadefNamespace] })
export class NamespacesModule {}
