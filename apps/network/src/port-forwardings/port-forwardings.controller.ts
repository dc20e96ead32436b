/** Public source: Networking API reference, "Floating IPs port forwarding". */
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { fieldsOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { pageLinks } from '@cumulet/common/resources/page-links';
import { readChange, readNew } from '@cumulet/common/resources/read-body';
import { bodySchemas } from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { PortForwarding } from './port-forwarding.resource.js';
import { portForwardingResource } from './port-forwarding.resource.js';
import { PortForwardingsService } from './port-forwardings.service.js';

const views = viewsOf(portForwardingResource);
const schemas = bodySchemas(portForwardingResource);

@Controller('v2.0/floatingips/:floatingip_id/port_forwardings')
export class PortForwardingsController {
  constructor(private readonly portForwardings: PortForwardingsService) {}

  @Get()
  @Allow('reader')
  @Operation('List the port forwardings of a floating IP', views.list)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('floatingip_id') ip: string,
    @Query() query: object,
  ): Promise<object> {
    const asked = query as ListQuery;
    const { rows } = await this.portForwardings.list(ctx, ip, asked);
    const links = pageLinks(ctx, asked, rows);
    return {
      port_forwardings: rows.map((row) => views.show(ctx, row, fieldsOf(asked))),
      ...(links.length > 0 ? { port_forwardings_links: links } : {}),
    };
  }

  @Post()
  @Allow('member')
  @ApiBody({ schema: schemas.create })
  @Operation('Create a port forwarding, or several at once', views.created, {
    creates: true,
    errors: [409],
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Param('floatingip_id') ip: string,
    @Body() body: object,
  ): Promise<object> {
    const { bodies, isBulk } = readNew(portForwardingResource, body);
    const rows = await this.portForwardings.create(ctx, ip, bodies);
    const shown = rows.map((row) => views.show(ctx, row));
    return isBulk ? { port_forwardings: shown } : { port_forwarding: shown[0] };
  }

  @Get(':port_forwarding_id')
  @Allow('reader')
  @Operation('Show a port forwarding', views.one)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('floatingip_id') ip: string,
    @Param('port_forwarding_id') id: string,
    @Query() query: object,
  ): Promise<object> {
    const row = await this.portForwardings.get(ctx, ip, id);
    return { port_forwarding: views.show(ctx, row, fieldsOf(query as ListQuery)) };
  }

  @Put(':port_forwarding_id')
  @Allow('member')
  @ApiBody({ schema: schemas.update })
  @Operation('Update a port forwarding', views.one, { errors: [409] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('floatingip_id') ip: string,
    @Param('port_forwarding_id') id: string,
    @Body() body: object,
  ): Promise<object> {
    const change = readChange(portForwardingResource, body);
    const row = await this.portForwardings.update(ctx, ip, id, change);
    return { port_forwarding: views.show(ctx, row) };
  }

  @Delete(':port_forwarding_id')
  @Allow('member')
  @Operation('Delete a port forwarding', null)
  delete(
    @Ctx() ctx: RequestContext,
    @Param('floatingip_id') ip: string,
    @Param('port_forwarding_id') id: string,
  ): Promise<void> {
    return this.portForwardings.remove(ctx, ip, id);
  }
}

@Feature({
  controllers: [PortForwardingsController],
  providers: [PortForwardingsService],
  entities: [PortForwarding],
})
export class PortForwardingsModule {}
