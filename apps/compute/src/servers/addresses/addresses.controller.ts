import { Controller, Get, Param } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { ServersService } from '../servers.service.js';
import { NotAMemberOfNetworkError } from '../server.errors.js';
import { AddressesAnswer, AddressesByNetwork, plainAddressesView } from './addresses.view.js';

@Controller('servers/:server_id/ips')
export class AddressesController {
  constructor(private readonly servers: ServersService) {}

  @Get()
  @Allow('reader')
  @Operation('List the addresses of a server', AddressesAnswer)
  async list(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    return { addresses: plainAddressesView(await this.servers.get(ctx, id)) };
  }

  @Get(':network_label')
  @Allow('reader')
  @Operation('List the addresses of a server in a network', AddressesByNetwork)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('network_label') label: string,
  ): Promise<object> {
    const addresses = plainAddressesView(await this.servers.get(ctx, id));
    const own = Object.entries(addresses).find(([name]) => name === label);
    if (!own) throw new NotAMemberOfNetworkError();
    return Object.fromEntries([own]);
  }
}

@Feature({ controllers: [AddressesController] })
export class AddressesModule {}
