/** Hooks around every route: request ids, versions, logs, metrics, errors, 404 and 405. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import {
  InvalidInputError,
  MethodNotAllowedError,
  RouteNotFoundError,
  DomainError,
} from '../errors/domain-error.js';
import type { Metrics } from '../observe/metrics.js';
import { hasSeveralHosts, SEVERAL_HOSTS } from './http-server.js';
import {
  negotiate,
  rangeHeaders,
  versionHeaders,
  type MicroversionRange,
} from '../context/microversion.js';
import { excessOfRequest } from './request-bounds.js';
import { globalRequestId, requestIdHeaders, type RequestIdAlias } from '../context/request-id.js';
import { ERROR_MEDIA_TYPE, toProblem, type ErrorEnvelope } from './error-envelope.js';
import { fromForeign, isOurFault } from '../errors/foreign-errors.js';

export interface HookOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The service's own names of the request id header. */
  readonly requestIdAlias?: RequestIdAlias | undefined;
  readonly microversions?: MicroversionRange | undefined;
  /** Request headers that its answers depend on, besides those of microversions. */
  readonly vary?: readonly string[] | undefined;
  /** Whether to leave out the charset parameter that Fastify adds. */
  readonly plainJson?: boolean | undefined;
}

const FASTIFY_JSON = 'application/json; charset=utf-8';

/** Paths that probes and token verifiers request every few seconds: logged at debug level. */
const POLLED = new Set(['/healthz', '/readyz', '/.well-known/jwks.json']);

export function addHooks(fastify: FastifyInstance, options: HookOptions): void {
  const { microversions, vary = [] } = options;
  // The fields of a request's line are fixed, and none is secret.
  const logger = options.logger.child({}, { redact: [] });
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(requestIdHeaders(request.id, options.requestIdAlias));
    const refusal = hasSeveralHosts(request.raw) ? SEVERAL_HOSTS : excessOfRequest(request.raw);
    done(refusal === undefined ? undefined : new InvalidInputError(refusal));
  });
  if (microversions) {
    fastify.addHook('onRequest', (request, reply, done) => {
      void reply.headers(rangeHeaders(microversions));
      // An error here still goes through the service's filter, with what is already on the reply.
      request.microversion = negotiate(request.headers, microversions);
      void reply.headers(versionHeaders(microversions, request.microversion));
      done();
    });
  }
  fastify.addHook('onRequest', (_request, reply, done) => {
    varyBy(reply, vary);
    done();
  });
  if (options.plainJson === true) {
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (reply.getHeader('content-type') === FASTIFY_JSON)
        void reply.header('content-type', 'application/json');
      done(null, payload);
    });
  }
  fastify.addHook('onResponse', (request, reply, done) => {
    record(request, reply, logger, options.metrics);
    done();
  });
}

function record(
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
  metrics: Metrics,
): void {
  const route = request.routeOptions.url ?? 'unknown';
  const seconds = reply.elapsedTime / 1000;
  metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, seconds);
  const ctx = request.cumuletContext;
  // Sister services poll for changes every other second; only their refusals are worth a line.
  const isPoll = request.method === 'GET' && ctx?.isService === true && reply.statusCode < 400;
  const level = POLLED.has(route) || isPoll ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  logger[level](
    {
      requestId: request.id,
      globalRequestId: globalRequestId(request.headers['x-openstack-request-id']),
      method: request.method,
      // Without the query, which may contain secrets (presigned signatures).
      path: request.originalUrl.split('?', 1)[0],
      route,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      userId: ctx?.userId,
      projectId: ctx?.fields.projectId,
    },
    'request',
  );
}

/** Finds the methods of a path for which the requested one has no route. */
export class RouteIndex {
  readonly #routes: { readonly pattern: RegExp; readonly methods: Set<string> }[] = [];
  readonly #end: string;

  /** @param strictPaths as in the router's options */
  constructor({ strictPaths }: { readonly strictPaths: boolean }) {
    this.#end = strictPaths ? '$' : '/?$';
  }

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => this.add(url, [method].flat()));
  }

  add(url: string, methods: readonly string[]): void {
    if (url.includes('*')) return;
    const source = url
      .split('/')
      .map((part) =>
        part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/');
    this.#routes.push({ pattern: new RegExp(`^${source}${this.#end}`), methods: new Set(methods) });
  }

  notFound(method: string, url: string): DomainError {
    const path = url.split('?', 1)[0] ?? url;
    const found = this.#routes.filter(({ pattern }) => pattern.test(path));
    const allow = [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
    return allow.length > 0
      ? new MethodNotAllowedError(method, path, allow)
      : new RouteNotFoundError(method, path);
  }
}

/** Adds these request headers to those that the answer depends on. */
export function varyBy(reply: FastifyReply, headers: readonly string[]): void {
  if (headers.length === 0) return;
  const before = reply.getHeader('Vary');
  const named = typeof before === 'string' ? before.split(', ') : [];
  void reply.header('Vary', [...new Set([...named, ...headers])].join(', '));
}

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
    private readonly onFault: (error: unknown) => void = () => undefined,
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
    if (isOurFault(error)) {
      this.logger.error({ requestId: request.id, err: error }, 'request failed');
      this.onFault(error);
    }
    // The stream failed after its first byte: only closing the connection is left.
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
 * Whether Nest's router found no route, or the path leads out of the folder of `/docs`; our own
 * code throws domain errors.
 */
function leadsNowhere(exception: unknown): boolean {
  return exception instanceof HttpException && [403, 404].includes(exception.getStatus());
}
