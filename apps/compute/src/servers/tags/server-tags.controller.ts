import { Body, Controller, Delete, Get, Header, Param, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { OfVersions } from '../../versions/microversions.js';
import { ServerTagNotFoundError } from '../server.errors.js';
import { ServersService } from '../servers.service.js';
import { ServerTagsAnswer, ServerTagsBody } from './server-tags.dto.js';
import { ServerTagsService } from './server-tags.service.js';

/** Public source: Nova API reference, "Server tags (servers, tags)". */
@ApiTags('servers')
@OfVersions({ since: 26 })
@Controller('servers/:server_id/tags')
export class ServerTagsController {
  constructor(
    private readonly servers: ServersService,
    private readonly tags: ServerTagsService,
  ) {}

  @Get()
  @Allow('reader')
  @Operation('List the tags of a server', ServerTagsAnswer)
  async list(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    const { tags } = await this.servers.get(ctx, id);
    return { tags };
  }

  @Put()
  @Allow('member')
  @Operation('Replace the tags of a server', ServerTagsAnswer, { errors: [409] })
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Body() { tags }: ServerTagsBody,
  ): Promise<object> {
    return { tags: await this.tags.replace(ctx, id, tags) };
  }

  @Delete()
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete the tags of a server', null, { errors: [409] })
  async clear(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<void> {
    await this.tags.clear(ctx, id);
  }

  @Get(':tag')
  @Header('Content-Type', 'application/json')
  @Allow('reader')
  @Operation('Check a tag of a server', null, { status: 204 })
  async check(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('tag') tag: string,
  ): Promise<void> {
    const { tags } = await this.servers.get(ctx, id);
    if (!tags.includes(tag)) throw new ServerTagNotFoundError(id, tag);
  }

  @Put(':tag')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Add a tag to a server', null, {
    status: 201,
    also: { 204: null },
    errors: [409],
    description: '204 if the server already has the tag.',
  })
  async add(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('tag') tag: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const isNew = await this.tags.add(ctx, id, tag);
    if (!isNew) void reply.status(204);
    else {
      const address = `${ctx.baseUrl}/v2.1/servers/${id}/tags/${encodeURIComponent(tag)}`;
      void reply.header('Location', address);
    }
  }

  @Delete(':tag')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete a tag of a server', null, { errors: [409] })
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('tag') tag: string,
  ): Promise<void> {
    await this.tags.remove(ctx, id, tag);
  }
}
