import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { SealingKeys } from '@cumulet/common/crypto/sealing-keys';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Injectable,
  type OnModuleInit,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Permits } from '../access/access.js';
import type { SecretsConfig } from '../config.js';
import { pageView } from '../http/pages.js';
import { secretRef } from '../http/refs.js';
import { acceptsJson, CONTENT_TYPES, headerOf } from './payloads/content-types.js';
import { SecretPayload } from './payloads/payload.entity.js';
import { type Payload, rawPayload } from './payloads/payload.js';
import { PayloadsService } from './payloads/payloads.service.js';
import {
  DeleteSecretQuery,
  ListSecretsQuery,
  NewSecretDto,
  Secret,
  type SecretId,
  SecretPage,
  SecretRefView,
  secretView,
  SecretView,
} from './secret.resource.js';
import { SecretsService } from './secrets.service.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is a payload, bytes or text. */
    takesPayload?: boolean;
  }
}

@Injectable()
class PayloadBodies implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const types = ['text/plain', 'application/octet-stream'];
    fastify.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body, done) => {
      // Clients send a Content-Type also without a body.
      if (request.routeOptions.config.takesPayload) done(null, body);
      else if (body.length === 0) done(null, undefined);
      else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    });
  }
}

/** Public source: Key Manager API reference, "Secrets API". */
@Controller('v1/secrets')
export class SecretsController {
  constructor(
    @Inject(CONFIG) private readonly config: SecretsConfig,
    private readonly secrets: SecretsService,
  ) {}

  @Get()
  @Allow('member')
  @Operation('List secrets', SecretPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListSecretsQuery): Promise<object> {
    return pageView(ctx, 'secrets', await this.secrets.list(ctx, query), secretView(ctx));
  }

  @Post()
  @Allow('member')
  @Operation('Create a secret', SecretRefView, { creates: true })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: NewSecretDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const ref = secretRef(ctx, await this.secrets.create(ctx, body));
    void reply.header('Location', ref);
    return { secret_ref: ref };
  }

  /** With another Accept header, it is Barbican's older way to read a payload. */
  @Get(':secret_id')
  @Permits('secret:get')
  @Operation('Show a secret', SecretView, { contentType: CONTENT_TYPES, errors: [406] })
  async show(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Req() { headers: { accept } }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (acceptsJson(accept)) await reply.send(secretView(ctx)(await this.secrets.show(ctx, id)));
    else await send(reply, await this.secrets.open(ctx, id, accept));
  }

  @Get(':secret_id/payload')
  @Permits('secret:decrypt')
  @Operation("Show a secret's payload", null, { contentType: CONTENT_TYPES, errors: [406] })
  async open(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Req() { headers: { accept } }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await send(reply, await this.secrets.open(ctx, id, accept));
  }

  @Put(':secret_id')
  @Permits('secret:put')
  @RouteConfig({ takesPayload: true })
  @ApiConsumes('text/plain', 'application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Operation('Give a secret its payload', null, { errors: [409] })
  async fill(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Req() { headers, body }: FastifyRequest,
  ): Promise<void> {
    const { 'content-type': type, 'content-encoding': encoding } = headers;
    const { maxPayloadBytes } = this.config;
    await this.secrets.fill(ctx, id, () => rawPayload(body, type, encoding, maxPayloadBytes));
  }

  @Delete(':secret_id')
  @Permits('secret:delete')
  @Operation('Delete a secret', null)
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Query() { force = false }: DeleteSecretQuery,
  ): Promise<void> {
    await this.secrets.delete(ctx, id, force);
  }
}

async function send(reply: FastifyReply, { contentType, bytes }: Payload): Promise<void> {
  await reply.type(headerOf(contentType)).header('Cache-Control', 'no-store').send(bytes);
}

@Feature({
  controllers: [SecretsController],
  providers: [
    SecretsService,
    PayloadsService,
    PayloadBodies,
    {
      provide: SealingKeys,
      inject: [CONFIG],
      useFactory: ({ secretKey, oldSecretKeys = [] }: SecretsConfig) =>
        new SealingKeys([secretKey, ...oldSecretKeys]),
    },
    {
      provide: Seal,
      inject: [CONFIG],
      useFactory: ({ secretKey, oldSecretKeys }: SecretsConfig) =>
        new Seal(secretKey, oldSecretKeys),
    },
  ],
  entities: [Secret, SecretPayload],
})
export class SecretsModule {}
