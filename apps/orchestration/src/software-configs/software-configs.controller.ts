import { Body, Controller, Delete, Get, Param, Post, Query as QueryOf } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { valuesOf } from '@cumulet/common/resources/list-query';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import { integerOf, isOfAllProjects, type Query } from '../http/query.js';
import {
  NewSoftwareConfigDto,
  SoftwareConfigAnswer,
  SoftwareConfigList,
} from './software-config.dto.js';
import { SoftwareConfig } from './software-config.entity.js';
import { softwareConfigSummary, softwareConfigView } from './software-config.view.js';
import { SoftwareConfigsService } from './software-configs.service.js';

@Controller('software_configs')
export class SoftwareConfigsController {
  constructor(private readonly configs: SoftwareConfigsService) {}

  @Get()
  @Allow('reader')
  @ApiQueries(['limit', 'marker', 'global_tenant'])
  @Operation('List software configs', SoftwareConfigList, { errors: [400, 404] })
  async list(@Ctx() ctx: RequestContext, @QueryOf() query: object): Promise<object> {
    const asked = query as Query;
    const rows = await this.configs.list(ctx, {
      limit: integerOf(asked, 'limit'),
      marker: valuesOf(asked, 'marker')[0],
      ofAll: isOfAllProjects(ctx, asked),
    });
    return { software_configs: rows.map((row) => softwareConfigSummary(row, ctx.isAdmin)) };
  }

  @Post()
  @Allow('member')
  @Operation('Create a software config', SoftwareConfigAnswer, { status: 200, creates: true })
  async create(@Ctx() ctx: RequestContext, @Body() body: NewSoftwareConfigDto): Promise<object> {
    return this.#view(await this.configs.create(ctx, body));
  }

  @Get(':config_id')
  @Allow('reader')
  @Operation('Show a software config', SoftwareConfigAnswer)
  async show(@Ctx() ctx: RequestContext, @Param('config_id') id: string): Promise<object> {
    return this.#view(await this.configs.find(ctx, id));
  }

  @Delete(':config_id')
  @Allow('member')
  @Operation('Delete a software config', null)
  async delete(@Ctx() ctx: RequestContext, @Param('config_id') id: string): Promise<void> {
    await this.configs.delete(ctx, id);
  }

  #view(row: SoftwareConfig): object {
    return { software_config: softwareConfigView(row, this.configs.contentOf(row)) };
  }
}

@Feature({
  controllers: [SoftwareConfigsController],
  providers: [SoftwareConfigsService],
  entities: [SoftwareConfig],
})
export class SoftwareConfigsModule {}
