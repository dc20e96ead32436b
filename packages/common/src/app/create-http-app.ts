/**
 * A Nest application on Fastify with all that services share: request ids, the token guard,
 * validation, the error filter, logs, metrics, probes and the OpenAPI document.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  Global,
  Module,
  type DynamicModule,
  type Provider,
  type LoggerService,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { DatabaseWatch } from './database-watch.js';
import { OperationsController } from './operations.controller.js';
import { RevocationRefresh } from './revocations.sweep.js';
import { TokenGuard } from '../auth/token.guard.js';
import { TokenVerifier, type TokenAuthority } from '../auth/token-verifier.js';
import { Liveness } from '../jobs/liveness.js';
import { countJobs } from '../jobs/job.repository.js';
import { Metrics } from '../observe/metrics.js';
import { traceRequests } from '../observe/tracing.js';
import type { Service } from './define-service.js';
import { Drain } from '../service/drain.js';
import { Readiness } from '../service/readiness.js';
import { withOverrides } from '../service/feature.js';
import type { ServiceConfig } from '../service/service-settings.js';
import { CONFIG, JSON_CODEC, LOGGER, SERVICE, TOKEN_AUTHORITY } from '../service/tokens.js';
import { limitBodies, setBodyParsers } from '../http/body-limits.js';
import { ErrorFilter, addHooks, RouteIndex } from '../http/fastify-hooks.js';
import { continueOnRead, leaveBodiesUnread, hasUnreadBody } from '../http/unread-bodies.js';
import { shareReads } from '../http/fair-reads.js';
import { limitClients, serverOptions } from '../http/http-server.js';
import { certificatePair, followRenewal } from '../tls/tls.js';
import { openApiDocument, serveOpenApi } from '../http/openapi.js';
import { parseQuery } from '../http/request-bounds.js';
import { newRequestId } from '../context/request-id.js';
import { routesOf, type Route } from '../http/route-table.js';
import type { RewrittenRequest } from '../context/rewritten-request.js';
import { ServiceAddresses, addressIn, type GuestView } from '../context/service-addresses.js';
import { answerUnreadable } from '../http/unreadable-request.js';
import { unsupportedController } from '../http/unsupported-operations.js';
import { createValidationPipe } from '../http/validation.js';
import type { Access } from '../auth/access.js';

export interface HttpAppParts {
  readonly service: Service;
  readonly config: ServiceConfig;
  readonly dataSource: DataSource;
  readonly metrics: Metrics;
  readonly drain: Drain;
  readonly readiness: Readiness;
  readonly database: DatabaseWatch;
  readonly liveness: Liveness;
  readonly logger: Logger;
  /** Replacements for the features' providers of these tokens. */
  readonly overrides: readonly Provider[];
  /** The verifier of another service of the process; by default it gets its own. */
  readonly verifier?: TokenVerifier | undefined;
}

export interface HttpApp {
  readonly nest: NestFastifyApplication;
  /** Handles a request that another server accepted. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  readonly contract: Contract;
}

export interface Contract {
  document(): OpenAPIObject;
  /** The documented path that matches a requested one. */
  pathOf(path: string): string;
}

const ONE_MIB = 1024 * 1024;

export async function createHttpApp(parts: HttpAppParts): Promise<HttpApp> {
  const { service, config, dataSource, logger, metrics } = parts;
  const { strictPaths = false, requestIdAlias, microversions, vary, plainJson, json } = service;
  const routes = new RouteIndex({ strictPaths });
  const addresses = new ServiceAddresses(config, service.path);
  const filter = new ErrorFilter(
    service.envelope,
    routes,
    logger,
    requestIdAlias,
    (request) =>
      keystoneChallenge(config, addresses.baseUrl(request), addresses.guestView(request)),
    vary,
    service.errorMediaType,
    (error) => parts.database.note(error),
  );
  const adapter = createAdapter(service, config, filter);
  const fastify = adapter.getInstance();
  continueOnRead(fastify.server);
  limitClients(fastify.server, config);
  followRenewal(fastify.server, config, (error) =>
    logger.error({ err: error }, 'the renewed certificate cannot be used; the former one stays'),
  );
  setBodyParsers(fastify, json);
  if (json) fastify.setReplySerializer((answer) => json.stringify(answer));
  routes.watch(fastify);
  addHooks(fastify, { logger, metrics, requestIdAlias, microversions, vary, plainJson });
  parts.drain.watch(fastify);
  parts.readiness.watch(fastify);
  shareReads(fastify);
  limitBodies(fastify, config, (...refused) => filter.reply(...refused));
  leaveBodiesUnread(fastify, service.unsupported ?? []);
  traceRequests(fastify, service.name);

  const nest = await NestFactory.create<NestFastifyApplication>(platformModule(parts), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  nest.useGlobalPipes(createValidationPipe(service));
  nest.useGlobalFilters(filter);
  nest.useGlobalInterceptors(...(service.interceptors ?? []));
  admitEarly(fastify, nest.get(TokenGuard), routesOf(nest));
  const document = (): OpenAPIObject => openApiDocument(nest, service);
  serveOpenApi(nest, document);
  await nest.init();
  await fastify.ready();
  metrics.watchJobs(() => countJobs(dataSource.manager));
  return {
    nest,
    handle: (request, response) => fastify.routing(request, response),
    contract: {
      document,
      pathOf: (url) => {
        const path = service.rewriteUrl?.({ url }) ?? url;
        return strictPaths ? path : path.replace(/(?<=.)\/$/, '');
      },
    },
  };
}

function createAdapter(
  service: Service,
  config: ServiceConfig,
  filter: ErrorFilter,
): FastifyAdapter {
  const { rewriteUrl, strictPaths = false } = service;
  const server = serverOptions(config);
  const pair = certificatePair(config);
  return new FastifyAdapter({
    ...(pair ? { https: { ...server, ...pair } } : { http: server }),
    // `Drain` refuses requests in the service's envelope.
    return503OnClosing: false,
    keepAliveTimeout: server.keepAliveTimeout,
    // A busy machine may take longer than any limit; nothing here waits for anything else.
    pluginTimeout: 0,
    bodyLimit: ONE_MIB,
    genReqId: newRequestId,
    logger: false,
    trustProxy: config.trustedProxies ?? false,
    // Node's limit on URLs, so that an ID of any length is simply not found.
    routerOptions: {
      ignoreTrailingSlash: !strictPaths,
      maxParamLength: 16_384,
      querystringParser: parseQuery,
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerUnreadable(error, socket, service.envelope, service.requestIdAlias),
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      filter.reply(error, request, reply),
    rewriteUrl: (request: RewrittenRequest) => rewriteUrl?.(request) ?? request.url ?? '/',
    schemaController: { compilersFactory: WITHOUT_SCHEMAS },
  } as never);
}

/** DTOs validate: without these, Fastify would load two JSON Schema compilers at each start. */
const WITHOUT_SCHEMAS = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

function refuseSchemas(): never {
  throw new Error("A route's shape is its DTO; Fastify's schemas are not used");
}

function platformModule(parts: HttpAppParts): DynamicModule {
  const { service, config, dataSource, overrides, verifier } = parts;
  @Global()
  @Module({})
  class PlatformModule {}
  const shared: Provider[] = [
    { provide: SERVICE, useValue: service },
    { provide: CONFIG, useValue: config },
    { provide: LOGGER, useValue: parts.logger },
    { provide: JSON_CODEC, useValue: service.json ?? JSON },
    { provide: DataSource, useValue: dataSource },
    { provide: Metrics, useValue: parts.metrics },
    { provide: Drain, useValue: parts.drain },
    { provide: Readiness, useValue: parts.readiness },
    { provide: DatabaseWatch, useValue: parts.database },
    { provide: Liveness, useValue: parts.liveness },
    verifier
      ? { provide: TokenVerifier, useValue: verifier }
      : {
          provide: TokenVerifier,
          inject: [TOKEN_AUTHORITY],
          useFactory: (authority: TokenAuthority) => new TokenVerifier(authority),
        },
  ];
  const guard: Provider = {
    provide: TokenGuard,
    inject: [TokenVerifier],
    useFactory: (checker: TokenVerifier) =>
      new TokenGuard({
        verifier: checker,
        dataSource,
        addresses: new ServiceAddresses(config, service.path),
        serviceType: service.serviceType,
      }),
  };
  return {
    module: PlatformModule,
    imports: service.features.map((feature) => withOverrides(feature, overrides)),
    controllers: [OperationsController, unsupportedController(service.unsupported ?? [])],
    providers: [
      ...shared,
      guard,
      { provide: APP_GUARD, useExisting: TokenGuard },
      ...(verifier ? [] : [RevocationRefresh]),
    ],
    exports: shared.map((provider) => (provider as { provide: symbol }).provide),
  };
}

/**
 * Call this after adding all other hooks and before any routes.
 * @param guard checks the request here, and not again before the handler
 */
function admitEarly(fastify: FastifyInstance, guard: TokenGuard, routes: readonly Route[]): void {
  const rules = new Map<string, Access>(
    routes
      .filter(({ access }) => access.kind !== 'public')
      .map(({ method, path, access }) => [keyOf(method, path), access]),
  );
  fastify.addHook('onRequest', (request, _reply, done) => {
    const access = hasUnreadBody(request.raw)
      ? rules.get(`${request.method} ${request.routeOptions.url}`)
      : undefined;
    if (access === undefined) done();
    else
      guard.admit(request, access).then(() => {
        request.admittedBy = access;
        done();
      }, done);
  });
}

function keyOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

interface IdentityAddresses {
  readonly identityUrl?: string;
  readonly identityPublicUrl?: string | undefined;
}

/**
 * The URL in a 401 where tokens are issued (keystonemiddleware, `WWW-Authenticate`).
 * @param baseUrl the answering service's, used unless another is configured
 * @param view of the caller
 */
function keystoneChallenge(
  { identityUrl, identityPublicUrl }: IdentityAddresses,
  baseUrl: string,
  view?: GuestView,
): string {
  const address = addressIn(view, identityPublicUrl ?? identityUrl ?? baseUrl);
  return `Keystone uri="${address}/v3"`;
}

/** Nest's start-up messages at debug level, its warnings and errors unchanged. */
class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug(String(message));
  }

  warn(message: unknown): void {
    this.logger.warn(String(message));
  }

  error(message: unknown): void {
    this.logger.error(String(message));
  }
}
