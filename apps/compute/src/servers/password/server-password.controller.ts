import { Controller, Delete, Get, Header, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { ServerAttributes } from '../server-attributes.js';
import { ServersService } from '../servers.service.js';

export const ServerPassword = answerClass('ServerPassword', {
  password: Shown(
    String,
    "The password as the guest set it, encrypted for the server's key pair; empty if not set.",
  ),
});

/**
 * The password that a guest has posted to the metadata service. Public source: Nova API reference,
 * "Servers password (servers, os-server-password)".
 */
@ApiTags('servers')
@Controller('servers/:server_id/os-server-password')
export class ServerPasswordController {
  constructor(
    private readonly servers: ServersService,
    private readonly attributes: ServerAttributes,
  ) {}

  @Get()
  @Allow('reader')
  @Operation('Show the password of a server', ServerPassword)
  async show(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    const { guestPassword } = await this.servers.get(ctx, id);
    return { password: guestPassword ?? '' };
  }

  /** The guest may post another one afterwards; its own password stays. */
  @Delete()
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Clear the password of a server', null)
  async clear(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<void> {
    await this.attributes.change(ctx, id, undefined, () => ({ guestPassword: null }));
  }
}
