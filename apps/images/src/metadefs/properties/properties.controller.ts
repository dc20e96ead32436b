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
  UseGuards,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { NamePipe } from '../name.pipe.js';
import { ReadOnlyGuard } from '../read-only.guard.js';
import { ResourceTypeQuery } from '../resource-types/resource-type.query.js';
import type { MetadefView } from '../shown-fields.js';
import { PropertiesService } from './properties.service.js';
import { PropertyDto, propertyOf } from './property.dto.js';
import { MetadefProperty } from './property.entity.js';
import { PropertyRepository } from './property.repository.js';
import { propertyListView, propertyView } from './property.view.js';

/** Public source: Image API reference, "Metadata definition properties". */
@ApiTags('metadata definitions')
@Controller('v2/metadefs/namespaces/:namespace_name/properties')
@UseGuards(ReadOnlyGuard)
export class PropertiesController {
  constructor(private readonly properties: PropertiesService) {}

  @Post()
  @Allow('admin')
  async create(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Body() body: PropertyDto,
  ): Promise<MetadefView> {
    return propertyView(await this.properties.create(ctx, namespace, propertyOf(body)));
  }

  @Get()
  @Allow('reader')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
  ): Promise<MetadefView> {
    return propertyListView(await this.properties.list(ctx, namespace));
  }

  @Delete()
  @HttpCode(204)
  @Allow('admin')
  async deleteAll(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
  ): Promise<void> {
    await this.properties.removeAll(ctx, namespace);
  }

  @Get(':property_name')
  @Allow('reader')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('property_name', NamePipe) name: string,
    @Query() { resource_type: resourceType }: ResourceTypeQuery,
  ): Promise<MetadefView> {
    return propertyView(
      resourceType
        ? await this.properties.showFor(ctx, namespace, name, resourceType)
        : await this.properties.show(ctx, namespace, name),
    );
  }

  @Put(':property_name')
  @Allow('admin')
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('property_name', NamePipe) name: string,
    @Body() body: PropertyDto,
  ): Promise<MetadefView> {
    return propertyView(await this.properties.replace(ctx, namespace, name, propertyOf(body)));
  }

  @Delete(':property_name')
  @HttpCode(204)
  @Allow('admin')
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('property_name', NamePipe) name: string,
  ): Promise<void> {
    await this.properties.remove(ctx, namespace, name);
  }
}

@Feature({
  controllers: [PropertiesController],
  providers: [PropertiesService, PropertyRepository],
  entities: [MetadefProperty],
})
export class PropertiesModule {}
