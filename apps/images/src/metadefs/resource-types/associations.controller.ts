import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NamePipe } from '../name.pipe.js';
import { ReadOnlyGuard } from '../read-only.guard.js';
import type { MetadefView } from '../shown-fields.js';
import { AssociationDto, associationOf } from './association.dto.js';
import { AssociationsService } from './associations.service.js';
import { associationListView, associationView } from './resource-type.view.js';

/** Public source: Image API reference, "Metadata definition resource types". */
@ApiTags('metadata definitions')
@Controller('v2/metadefs/namespaces/:namespace_name/resource_types')
@UseGuards(ReadOnlyGuard)
export class AssociationsController {
  constructor(private readonly associations: AssociationsService) {}

  @Post()
  @Allow('admin')
  async create(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Body() body: AssociationDto,
  ): Promise<MetadefView> {
    return associationView(await this.associations.create(ctx, namespace, associationOf(body)));
  }

  @Get()
  @Allow('reader')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
  ): Promise<MetadefView> {
    return associationListView(await this.associations.list(ctx, namespace));
  }

  @Delete(':name')
  @HttpCode(204)
  @Allow('admin')
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('namespace_name', NamePipe) namespace: string,
    @Param('name', NamePipe) name: string,
  ): Promise<void> {
    await this.associations.remove(ctx, namespace, name);
  }
}
