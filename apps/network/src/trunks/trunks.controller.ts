import { Body, Controller, Get, Inject, Param, Put } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { resourceController } from '../resource/resource.controller.js';
import { readSubports } from './subport-body.js';
import { Subport, Trunk } from './trunk.entity.js';
import { trunkResource } from './trunk.resource.js';
import { TrunksService } from './trunks.service.js';
import { portUsers } from '../ports/port-users.js';
import { refuseIfTrunked } from './subports.js';

const views = viewsOf(trunkResource);

const SubportList = answerClass('SubportList', {
  sub_ports: Shown([Object], 'The subports of the trunk.'),
});

const SUBPORTS_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['sub_ports'],
  properties: {
    sub_ports: {
      type: 'array',
      items: {
        type: 'object',
        required: ['port_id'],
        properties: {
          port_id: { type: 'string', format: 'uuid' },
          segmentation_type: { type: 'string', enum: ['vlan', 'inherit'] },
          segmentation_id: { type: 'integer', minimum: 1, maximum: 4094 },
        },
      },
    },
  },
};

@Controller('v2.0/trunks')
export class TrunksController extends resourceController(trunkResource, TrunksService) {
  @Inject(TrunksService)
  private readonly trunks: TrunksService;

  /** As in Neutron, the trunk is answered without an envelope. */
  @Put(':trunk_id/add_subports')
  @Allow('member')
  @ApiBody({ schema: SUBPORTS_SCHEMA })
  @Operation('Add subports to a trunk', views.item, { errors: [409] })
  async add(
    @Ctx() ctx: RequestContext,
    @Param('trunk_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return views.show(ctx, await this.trunks.addSubports(ctx, id, readSubports(body)));
  }

  @Put(':trunk_id/remove_subports')
  @Allow('member')
  @ApiBody({ schema: SUBPORTS_SCHEMA })
  @Operation('Remove subports from a trunk', views.item, { errors: [409] })
  async take(
    @Ctx() ctx: RequestContext,
    @Param('trunk_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    return views.show(ctx, await this.trunks.removeSubports(ctx, id, readSubports(body)));
  }

  @Get(':trunk_id/get_subports')
  @Allow('reader')
  @Operation('List the subports of a trunk', SubportList)
  async subports(@Ctx() ctx: RequestContext, @Param('trunk_id') id: string): Promise<object> {
    return { sub_ports: (await this.trunks.get(ctx, id)).subPorts };
  }
}

portUsers.push({ refuseRemoval: refuseIfTrunked });

@Feature({
  controllers: [TrunksController],
  providers: [TrunksService],
  entities: [Trunk, Subport],
})
export class TrunksModule {}
