/**
 * The one route of all operations. It takes any body unread, hands the request over and writes the
 * answer, and the identifiers by which clients report a request.
 */
import { All, Controller, Inject, Req, Res, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { TakesBody } from '@cumulet/common/http/body-limits';
import { fromForeign, isOurFault } from '@cumulet/common/http/foreign-errors';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { S3Config } from '../config.js';
import { corsHeadersOf, corsRequestOf } from '../configurations/cors/cors-headers.js';
import { Preflights } from '../configurations/cors/preflights.js';
import { Dispatcher } from '../operations/dispatcher.js';
import type { AddressedCall } from '../operations/operation.js';
import { Senders } from '../operations/senders.js';
import { TargetRepository } from '../operations/target.repository.js';
import { errorAnswer, failureOf } from './error-answer.js';
import { Websites } from '../website/websites.js';
import { errorPage } from '../website/error-page.js';
import { S3_ROUTE } from './rewrite-url.js';
import type { S3Answer } from './s3-answer.js';
import { isOfWebsite, requestOf, websiteRequestOf, type S3Request } from './s3-request.js';

/** Stands in for the type that a body came with, which is its object's, and nothing to parse by. */
const UNREAD = 'application/x-s3-body';

/** Its operations are in a table of their own, since OpenAPI knows no query as part of a path. */
@ApiExcludeController()
@Controller(S3_ROUTE)
export class S3Controller implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: S3Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly host: HttpAdapterHost,
    private readonly dispatcher: Dispatcher,
    private readonly preflights: Preflights,
    private readonly websites: Websites,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser(UNREAD, (_request, _payload, done) => done(null, undefined));
    fastify.addHook('onRequest', (request, reply, done) => {
      void reply.header('x-trans-id', `${request.id}-${attemptOf(request)}`);
      if (request.routeOptions.url === S3_ROUTE) keepUnparsed(request);
      done();
    });
  }

  @All()
  @Public()
  @TakesBody({ isStream: true })
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    restoreType(request);
    const answer = await this.#answer(request);
    const { status = 200, headers = {}, body } = answer;
    void reply.status(status);
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) void reply.header(name, value);
    await reply.send(body);
  }

  async #answer(request: FastifyRequest): Promise<S3Answer> {
    let shared: Record<string, string> | undefined;
    const answer = await this.#attempt(request, ({ bucket }, { method, headers }) => {
      const asked = corsRequestOf(method, headers);
      const { cors = [] } = bucket.configurations;
      shared = asked && corsHeadersOf(cors, { ...asked, headers: [] });
    });
    return shared ? { ...answer, headers: { ...answer.headers, ...shared } } : answer;
  }

  async #attempt(
    request: FastifyRequest,
    onBucket: (call: Pick<AddressedCall, 'bucket'>, asked: S3Request) => void,
  ): Promise<S3Answer> {
    const isWebsite = isOfWebsite(request, this.config);
    try {
      if (isWebsite) {
        const visit = websiteRequestOf(request, this.config);
        return await this.websites.answer(visit, (bucket) => onBucket({ bucket }, visit));
      }
      const asked = requestOf(request, this.config);
      if (asked.method === 'OPTIONS') return await this.preflights.answer(asked);
      return await this.dispatcher.dispatch(asked, (call) => onBucket(call, asked));
    } catch (error) {
      const failure = fromForeign(error);
      if (isOurFault(failure))
        this.logger.error({ requestId: request.id, err: failure }, 'request failed');
      if (isWebsite) return errorPage(failureOf(failure, request.id), request.id);
      const [path = '/'] = request.originalUrl.split('?', 1);
      return errorAnswer(failure, request.id, path);
    }
  }
}

/** Which try of its client a request is, as far as the client says. */
function attemptOf({ headers }: FastifyRequest): string {
  return /\battempt=(\d{1,4})\b/.exec(String(headers['amz-sdk-request']))?.[1] ?? '1';
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type that a request came with. */
    s3ContentType?: string | undefined;
  }
}

/** Fastify chooses by the type what reads a body. */
function keepUnparsed(request: FastifyRequest): void {
  const { headers } = request.raw;
  request.s3ContentType = headers['content-type'];
  headers['content-type'] = UNREAD;
}

/** Signatures are over it, and objects keep it. */
function restoreType({ raw, s3ContentType }: FastifyRequest): void {
  if (s3ContentType === undefined) delete raw.headers['content-type'];
  else raw.headers['content-type'] = s3ContentType;
}

@Feature({ controllers: [S3Controller], providers: [Dispatcher, Senders, TargetRepository] })
export class S3Module {}
