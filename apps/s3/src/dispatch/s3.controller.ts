/**
 * The one route of all operations. It takes any body unread, hands the request over and writes the
 * answer, and the identifiers by which clients report a request.
 */
import { Public } from '@cumulet/common/auth/access';
import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';
import { TakesBody } from '@cumulet/common/http/body-limits';
import { Feature } from '@cumulet/common/service/feature';
import { All, Controller, Req, Res, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TargetRepository } from '../operations/target.repository.js';
import { Answers, Preflights, Dispatcher } from './answers.js';

const S3_ROUTE = '/s3';
const OWN = '/-/';

/**
 * Leads all of S3's paths to one route: buckets and keys may have any name, such as `healthz`,
 * `metrics` and `docs`, and may be public. The platform's own paths on this port are below `/-/`,
 * which is not a valid bucket name.
 */
export function rewriteS3Url(request: RewrittenRequest): string {
  const { url = '/' } = request;
  return url.startsWith(OWN) ? url.slice(OWN.length - 1) : S3_ROUTE;
}

/** Replaces the Content-Type, which is the object's, so that no parser reads the body. */
const UNREAD = 'application/x-s3-body';

/** Not in OpenAPI, which cannot tell operations apart by their query. */
@ApiExcludeController()
@Controller(S3_ROUTE)
export class S3Controller implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly answers: Answers,
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
    const answer = await this.answers.to(request, reply);
    const { status = 200, headers = {}, body } = answer;
    void reply.status(status);
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) void reply.header(name, value);
    await reply.send(body);
  }
}

/** The attempt of the client, as it states it; 1 by default. */
function attemptOf({ headers }: FastifyRequest): string {
  return /\battempt=(\d{1,4})\b/.exec(String(headers['amz-sdk-request']))?.[1] ?? '1';
}

declare module 'fastify' {
  interface FastifyRequest {
    s3ContentType?: string | undefined;
  }
}

/** Fastify chooses the parser by the Content-Type. */
function keepUnparsed(request: FastifyRequest): void {
  const { headers } = request.raw;
  request.s3ContentType = headers['content-type'];
  headers['content-type'] = UNREAD;
}

/** Signatures cover the Content-Type, and objects keep it. */
function restoreType({ raw, s3ContentType }: FastifyRequest): void {
  if (s3ContentType === undefined) delete raw.headers['content-type'];
  else raw.headers['content-type'] = s3ContentType;
}

@Feature({
  controllers: [S3Controller],
  providers: [Answers, Dispatcher, Preflights, TargetRepository],
})
export class S3Module {}
