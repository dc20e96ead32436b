import { Body, Controller, Delete, Get, Header, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { pageView } from '../http/pages.js';
import { zonelessTime } from '../http/times.js';
import { versionOf } from '../versions/microversions.js';
import {
  CreatedKeypair,
  CreateKeypairBody,
  Keypair,
  KeypairList,
  KeypairQuery,
  KeypairSummary,
  KeypairView,
  ListKeypairsQuery,
} from './keypair.resource.js';
import { KeypairsService } from './keypairs.service.js';

@ApiTags('key pairs')
@Controller('os-keypairs')
export class KeypairsController {
  constructor(private readonly keypairs: KeypairsService) {}

  @Get()
  @Allow('reader')
  @Operation('List key pairs', KeypairList)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListKeypairsQuery): Promise<object> {
    const { rows, more } = await this.keypairs.page(ctx, query);
    const view = viewIn<Keypair, object>(ctx, KeypairSummary);
    const page = { rows: rows.map((row) => ({ id: row.name, row })), more };
    return pageView(ctx, 'keypairs', page, ({ row }) => ({ keypair: view(row) }));
  }

  @Post()
  @Allow('member')
  @Operation('Create or import a key pair', shownUnder('keypair', CreatedKeypair), {
    description: 'Before microversion 2.2 it answers 200.',
    creates: true,
    ofUser: true,
    also: { 200: shownUnder('keypair', CreatedKeypair) },
    errors: [409],
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateKeypairBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { keypair, privateKey } = await this.keypairs.create(ctx, body.keypair);
    if (!versionOf(ctx).atLeast(2)) void reply.status(200);
    return { keypair: viewIn(ctx, CreatedKeypair)(Object.assign(keypair, { privateKey })) };
  }

  @Get(':keypair_name')
  @Allow('reader')
  @Operation('Show a key pair', shownUnder('keypair', KeypairView))
  async show(
    @Ctx() ctx: RequestContext,
    @Param('keypair_name') name: string,
    @Query() { user_id: userId }: KeypairQuery,
  ): Promise<object> {
    const keypair = await this.keypairs.get(ctx, name, userId);
    return { keypair: viewIn(ctx, KeypairView, zonelessTime)(keypair) };
  }

  @Delete(':keypair_name')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete a key pair', null, {
    description: 'Before microversion 2.2 it answers 202.',
    also: { 202: null },
  })
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('keypair_name') name: string,
    @Query() { user_id: userId }: KeypairQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.keypairs.delete(ctx, name, userId);
    if (!versionOf(ctx).atLeast(2)) void reply.status(202);
  }
}

@Feature({
  controllers: [KeypairsController],
  providers: [KeypairsService],
  entities: [Keypair],
})
export class KeypairsModule {}
