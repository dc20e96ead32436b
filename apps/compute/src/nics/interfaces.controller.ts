import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { ServersService } from '../servers/servers.service.js';
import { refuseBefore, versionOf } from '../versions/microversions.js';
import { InterfaceAnswer, InterfacesAnswer, AttachInterfaceBody } from './interface.dto.js';
import { InterfacesService, type Interface } from './interfaces.service.js';
import { Nic } from './nic.entity.js';
import { NicReconciler } from './nic.reconciler.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';
import { RequestedNicsService } from './nic-requests.service.js';
import { ServerFloatingIpsService } from './server-floating-ips.service.js';
import { ServerPortsService } from './server-ports.service.js';
import { ServerSecurityGroupsController } from './server-security-groups.controller.js';
import { ServerNicsService } from './server-nics.service.js';

@ApiTags('port interfaces')
@Controller('servers/:server_id/os-interface')
export class InterfacesController {
  constructor(
    private readonly servers: ServersService,
    private readonly interfaces: InterfacesService,
  ) {}

  @Get()
  @Allow('reader')
  @Operation('List the network cards of a server', InterfacesAnswer)
  async list(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    const found = await this.interfaces.list(ctx, await this.servers.get(ctx, id));
    return { interfaceAttachments: found.map((one) => interfaceView(ctx, one)) };
  }

  @Get(':port_id')
  @Allow('reader')
  @Operation('Show a network card of a server', InterfaceAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('port_id') portId: string,
  ): Promise<object> {
    const found = await this.interfaces.get(ctx, await this.servers.get(ctx, id), portId);
    return { interfaceAttachment: interfaceView(ctx, found) };
  }

  @Post()
  @Allow('member')
  @Operation('Attach a network card to a server', InterfaceAnswer, {
    description:
      'A running guest has the NIC when this answers, unless its host takes more than 20 seconds.',
    status: 200,
    creates: false,
    errors: [404, 409],
  })
  async attach(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Body() { interfaceAttachment: asked = {} }: AttachInterfaceBody,
  ): Promise<object> {
    if (asked.tag !== undefined) refuseBefore(ctx, 49, 'interfaceAttachment.tag');
    const server = await this.servers.get(ctx, id);
    const attached = await this.interfaces.attach(ctx, server, asked);
    return { interfaceAttachment: interfaceView(ctx, attached) };
  }

  @Delete(':port_id')
  @Allow('member')
  @Operation('Detach a network card from a server', null, { status: 202, errors: [404, 409] })
  async detach(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('port_id') portId: string,
  ): Promise<void> {
    await this.interfaces.detach(ctx, await this.servers.get(ctx, id), portId);
  }
}

function interfaceView(ctx: RequestContext, { nic, port }: Interface): object {
  return {
    net_id: port.networkId,
    port_id: port.id,
    mac_addr: port.macAddress,
    port_state: port.status,
    fixed_ips: port.addresses.map(({ subnetId, address }) => ({
      ip_address: address,
      subnet_id: subnetId,
    })),
    ...(versionOf(ctx).atLeast(70) ? { tag: nic.tag } : {}),
  };
}

@Feature({
  controllers: [InterfacesController, ServerSecurityGroupsController],
  providers: [
    NicRepository,
    NicPortsService,
    RequestedNicsService,
    ServerNicsService,
    NicReconciler,
    InterfacesService,
    ServerPortsService,
    ServerFloatingIpsService,
  ],
  entities: [Nic],
})
export class NicsModule {}
