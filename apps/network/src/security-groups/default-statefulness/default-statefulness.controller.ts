import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { fieldsOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { readChange, readNew } from '@cumulet/common/resources/read-body';
import {
  ApiQueries,
  bodySchemas,
  queryParameters,
} from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { DefaultStatefulness } from './default-statefulness.entity.js';
import { defaultStatefulnessResource as resource } from './default-statefulness.resource.js';
import { DefaultStatefulnessService } from './default-statefulness.service.js';

const { plural: key } = resource;
const views = viewsOf(resource);
const schemas = bodySchemas(resource);
const PARAMETER = 'security_groups_default_statefulness_id';

/** Public source: neutron, `conf/policies/security_groups_default_statefulness.py`. */
@ApiTags('security groups default statefulness')
@Controller('v2.0/security-groups-default-statefulness')
export class DefaultStatefulnessController {
  constructor(private readonly service: DefaultStatefulnessService) {}

  @Get()
  @Allow('reader')
  @ApiQueries(queryParameters(resource))
  @Operation('List what new security groups are that do not say', views.list, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
    const asked = query as ListQuery;
    const rows = await this.service.list(ctx, asked);
    return { [key]: rows.map((row) => views.show(ctx, row, fieldsOf(asked))) };
  }

  @Post()
  @Allow('member')
  @ApiBody({ schema: schemas.create })
  @Operation('Say what new security groups are that do not', views.one, {
    creates: true,
    errors: [409],
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: object): Promise<object> {
    const [row] = await this.service.create(ctx, readNew(resource, body).bodies);
    return { [key]: views.show(ctx, row as DefaultStatefulness) };
  }

  @Get(`:${PARAMETER}`)
  @Allow('reader')
  @Operation('Show one of what new security groups are', views.one)
  async show(
    @Ctx() ctx: RequestContext,
    @Param(PARAMETER) id: string,
    @Query() query: object,
  ): Promise<object> {
    const row = await this.service.get(ctx, id);
    return { [key]: views.show(ctx, row, fieldsOf(query as ListQuery)) };
  }

  @Put(`:${PARAMETER}`)
  @Allow('member')
  @ApiBody({ schema: schemas.update })
  @Operation('Change what new security groups are', views.one)
  async update(
    @Ctx() ctx: RequestContext,
    @Param(PARAMETER) id: string,
    @Body() body: object,
  ): Promise<object> {
    const row = await this.service.update(ctx, id, readChange(resource, body));
    return { [key]: views.show(ctx, row) };
  }

  @Delete(`:${PARAMETER}`)
  @Allow('member')
  @Operation('Say no longer what new security groups are', null)
  remove(@Ctx() ctx: RequestContext, @Param(PARAMETER) id: string): Promise<void> {
    return this.service.remove(ctx, id);
  }
}

@Feature({
  controllers: [DefaultStatefulnessController],
  providers: [DefaultStatefulnessService],
  entities: [DefaultStatefulness],
})
export class DefaultStatefulnessModule {}
