import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '../errors/domain-error.js';
import { ERROR_MEDIA_TYPE, toProblem, type ErrorEnvelope } from './error-envelope.js';
import type { RouteIndex } from './fastify-hooks.js';
import { requestIdHeaders, type RequestIdAlias } from '../context/request-id.js';
import { fromForeign, isOurFault } from '../errors/foreign-errors.js';
import { varyBy } from './vary.js';

/** The one place where an exception becomes a response. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly envelope: ErrorEnvelope,
    private readonly routes: RouteIndex,
    private readonly logger: Logger,
    private readonly requestIdAlias?: RequestIdAlias,
    private readonly challenge?: (request: FastifyRequest) => string,
    private readonly vary: readonly string[] = [],
    private readonly mediaType = ERROR_MEDIA_TYPE,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.reply(exception, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Also called by Fastify for failures before routing. */
  reply(exception: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = leadsNowhere(exception)
      ? this.routes.notFound(request.method, request.url)
      : fromForeign(exception);
    if (isOurFault(error))
      this.logger.error({ requestId: request.id, err: error }, 'request failed');
    // The stream broke after its first byte: all that is left is to close the connection.
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    // A failure before the first hook (a malformed path) has none of these on its reply yet.
    void reply.headers(requestIdHeaders(request.id, this.requestIdAlias));
    varyBy(reply, this.vary);
    const problem = toProblem(error, request.id);
    if (problem.retryAfter !== undefined)
      void reply.header('Retry-After', String(problem.retryAfter));
    if (error instanceof DomainError && error.allow)
      void reply.header('Allow', error.allow.join(', '));
    if (problem.status === 401 && this.challenge)
      void reply.header('WWW-Authenticate', this.challenge(request));
    void reply.status(problem.status).type(this.mediaType).send(this.envelope(problem));
  }
}

/**
 * No route has the path (Nest's router), or it leads out of the folder of the files below `/docs`:
 * what is ours throws domain errors.
 */
function leadsNowhere(exception: unknown): boolean {
  return exception instanceof HttpException && [403, 404].includes(exception.getStatus());
}
