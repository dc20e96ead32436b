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
  UseGuards,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { NamePipe } from '../name.pipe.js';
import { ReadOnlyGuard } from '../read-only.guard.js';
import type { MetadefView } from '../shown-fields.js';
import { ObjectDto, objectOf } from './object.dto.js';
import { MetadefObject } from './object.entity.js';
import { ObjectRepository } from './object.repository.js';
import { objectListView, objectView } from './object.view.js';
import { ObjectsService } from './objects.service.js';

/** Public source: Image API reference, "Metadata definition objects". */
@ApiTags('metadata definitions')
@Controller('v2/metadefs/namespaces/:namespace_name/objects')
@UseGuards(ReadOnlyGuard)
export class ObjectsController {
  constructor(private readonly objects: ObjectsService) {}

  @Post()
  @Allow('admin')
  async create(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Body() body: ObjectDto,
  ): Promise<MetadefView> {
    return objectView(await this.objects.create(ctx, namespace, objectOf(body)), namespace);
  }

  @Get()
  @Allow('reader')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
  ): Promise<MetadefView> {
    return objectListView(await this.objects.list(ctx, namespace), namespace);
  }

  @Delete()
  @HttpCode(204)
  @Allow('admin')
  async deleteAll(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
  ): Promise<void> {
    await this.objects.removeAll(ctx, namespace);
  }

  @Get(':object_name')
  @Allow('reader')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('object_name', NamePipe) name: string,
  ): Promise<MetadefView> {
    return objectView(await this.objects.show(ctx, namespace, name), namespace);
  }

  @Put(':object_name')
  @Allow('admin')
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('object_name', NamePipe) name: string,
    @Body() body: ObjectDto,
  ): Promise<MetadefView> {
    return objectView(await this.objects.replace(ctx, namespace, name, objectOf(body)), namespace);
  }

  @Delete(':object_name')
  @HttpCode(204)
  @Allow('admin')
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('object_name', NamePipe) name: string,
  ): Promise<void> {
    await this.objects.remove(ctx, namespace, name);
  }
}

@Feature({
  controllers: [ObjectsController],
  providers: [ObjectsService, ObjectRepository],
  entities: [MetadefObject],
})
export class ObjectsModule {}
