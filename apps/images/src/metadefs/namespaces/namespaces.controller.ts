import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Feature } from '@cumulet/common/service/feature';
import { namespaceLocation, NAMESPACES_PATH } from '../metadef-links.js';
import { NamePipe } from '../name.pipe.js';
import { ReadOnlyGuard } from '../read-only.guard.js';
import { ResourceTypeQuery } from '../resource-types/resource-type.query.js';
import type { MetadefView } from '../shown-fields.js';
import { NamespaceContents } from './namespace-contents.js';
import { NamespaceLookup } from './namespace-lookup.js';
import { contentsOf, NamespaceChangesDto, namespaceOf, NewNamespaceDto } from './namespace.dto.js';
import { MetadefNamespace } from './namespace.entity.js';
import { ListNamespacesQuery } from './namespace.query.js';
import { NamespaceRepository } from './namespace.repository.js';
import { namespaceDetailView, namespaceListView, namespaceView } from './namespace.view.js';
import { NamespacesService } from './namespaces.service.js';

/** Public source: Image API reference, "Metadata definition namespaces". */
@ApiTags('metadata definitions')
@Controller('v2/metadefs/namespaces')
@UseGuards(ReadOnlyGuard)
export class NamespacesController {
  constructor(private readonly namespaces: NamespacesService) {}

  @Post()
  @Allow('admin')
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: NewNamespaceDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MetadefView> {
    const values = namespaceOf(body, ctx.projectId);
    const created = await this.namespaces.create(ctx, values, contentsOf(body));
    void reply.header('Location', namespaceLocation(ctx.baseUrl, values.namespace));
    return namespaceDetailView(created.namespace, created.contents);
  }

  @Get()
  @Allow('reader')
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ListNamespacesQuery,
  ): Promise<MetadefView> {
    const page = await this.namespaces.list(ctx, query);
    return namespaceListView(page, ctx.fields.requestUrl ?? NAMESPACES_PATH);
  }

  @Get(':namespace_name')
  @Allow('reader')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) name: string,
    @Query() query: ResourceTypeQuery,
  ): Promise<MetadefView> {
    const { namespace, contents } = await this.namespaces.show(ctx, name, query.resource_type);
    return namespaceDetailView(namespace, contents);
  }

  @Put(':namespace_name')
  @Allow('admin')
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) name: string,
    @Body() body: NamespaceChangesDto,
  ): Promise<MetadefView> {
    return namespaceView(
      await this.namespaces.replace(ctx, name, namespaceOf(body, ctx.projectId)),
    );
  }

  @Delete(':namespace_name')
  @HttpCode(204)
  @Allow('admin')
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) name: string,
  ): Promise<void> {
    await this.namespaces.delete(ctx, name);
  }
}

@Feature({
  controllers: [NamespacesController],
  providers: [NamespacesService, NamespaceContents, NamespaceLookup, NamespaceRepository],
  entities: [MetadefNamespace],
})
export class NamespacesModule {}
