/**
 * Answers to guests at 169.254.169.254, which the network service's proxy forwards with the guest's
 * identity. Not in the API document, which is for clients.
 */
import {
  Controller,
  Get,
  Header,
  HttpCode,
  Inject,
  Injectable,
  Param,
  Post,
  Req,
  Res,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { TakesBody } from '@cumulet/common/http/body-limits';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { MetadataService, requestingGuestOf } from './metadata.service.js';

const PASSWORD = 'text/x-guest-password';
const MAX_BYTES = 64 * 1024;

@ApiExcludeController()
@Controller()
export class MetadataController {
  constructor(
    private readonly metadata: MetadataService,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  @Get(['metadata', 'metadata/*'])
  @Public()
  async read(
    @Ctx() ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('*') path = '',
  ): Promise<string | Buffer> {
    const caller = requestingGuestOf(request.headers, this.config);
    const { type, body } = await this.metadata.read(ctx, caller, partsOf(path));
    void reply.header('Content-Type', `${type}; charset=utf-8`);
    return body;
  }

  @Post('metadata/*')
  @HttpCode(200)
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Public()
  @TakesBody({ bytes: MAX_BYTES })
  async tell(
    @Ctx() ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Param('*') path = '',
  ): Promise<string> {
    const caller = requestingGuestOf(request.headers, this.config);
    const password = typeof request.body === 'string' ? request.body : '';
    await this.metadata.postPassword(ctx, caller, partsOf(path), password);
    return '';
  }
}

/** Guests send passwords with whatever media type their HTTP client chooses. */
@Injectable()
export class PasswordBodies implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser(PASSWORD, { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    fastify.addHook('onRequest', (request, _reply, done) => {
      if (request.method === 'POST' && request.routeOptions.url === '/metadata/*')
        request.raw.headers['content-type'] = PASSWORD;
      done();
    });
  }
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

@Feature({
  controllers: [MetadataController],
  providers: [MetadataService, PasswordBodies],
})
export class MetadataServiceModule {}
