/**
 * A Nest application on Fastify with everything that two services share: request ids, the token
 * guard, validation, the error filter, logs, metrics, probes and the OpenAPI document.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { TokenGuard } from '../auth/token.guard.js';
import type { TokenVerifier } from '../auth/token-verifier.js';
import { Metrics } from '../observe/metrics.js';
import { OperationsController } from '../observe/operations.controller.js';
import { traceRequests } from '../observe/tracing.js';
import { setBodyParsers } from './body-parsers.js';
import type { ErrorEnvelope } from './error-envelope.js';
import { ErrorFilter } from './error-filter.js';
import { continueOnRead } from './expect-continue.js';
import { addHooks, RouteIndex } from './fastify-hooks.js';
import type { MicroversionRange } from './microversion.js';
import { NestLogger } from './nest-logger.js';
import { openApiDocument, serveOpenApi } from './openapi.js';
import { newRequestId } from './request-id.js';
import { routesOf } from './route-table.js';
import type { RewrittenRequest } from './rewritten-request.js';
import { answerUnreadable } from './unreadable-request.js';
import { createValidationPipe } from './validation.js';

export interface HttpAppOptions {
  /** `compute`; names logs, metrics and documents. */
  readonly service: string;
  readonly title: string;
  /** Its type in the catalog, as access rules name it. */
  readonly serviceType: string;
  readonly module: Type | DynamicModule;
  readonly envelope: ErrorEnvelope;
  readonly verifier: TokenVerifier;
  readonly dataSource: DataSource;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** The address that clients use, without a trailing slash; by default what they asked for. */
  readonly publicUrl?: string | undefined;
  readonly bodyLimit?: number;
  /** Whether `/images/` is another path than `/images`: that of an image whose id is empty. */
  readonly strictPaths?: boolean;
  readonly requestIdAlias?: string;
  readonly microversions?: MicroversionRange;
  /** Headers of a request that every answer depends on, beside those of microversions. */
  readonly vary?: readonly string[];
  /** What a 401 says in `WWW-Authenticate`, from the service's own address. */
  readonly challenge?: (baseUrl: string) => string;
  /** Takes a prefix (`/v2.1/{project_id}`) off a request's path; may note the project it named. */
  readonly rewriteUrl?: (request: RewrittenRequest) => string;
}

export interface HttpApp {
  readonly nest: NestFastifyApplication;
  /** Handles a request that another server accepted. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  readonly contract: Contract;
}

/** What a service says that it answers. */
export interface Contract {
  /** Made anew at each call. */
  document(): OpenAPIObject;
  /** The path that the document knows for one that a client asks for. */
  pathOf(path: string): string;
}

const ONE_MIB = 1024 * 1024;

export async function createHttpApp(options: HttpAppOptions): Promise<HttpApp> {
  const { logger, dataSource, metrics, verifier } = options;
  const { challenge, strictPaths = false } = options;
  const routes = new RouteIndex({ strictPaths });
  const baseUrl = (request: FastifyRequest): string => options.publicUrl ?? askedFor(request);
  const filter = new ErrorFilter(
    options.envelope,
    routes,
    logger,
    options.requestIdAlias,
    challenge && ((request) => challenge(baseUrl(request))),
    options.vary,
  );
  const adapter = createAdapter(options, filter);
  const fastify = adapter.getInstance();
  continueOnRead(fastify.server);
  setBodyParsers(fastify);
  routes.watch(fastify);
  addHooks(fastify, options);
  traceRequests(fastify, options.service);

  const nest = await NestFactory.create<NestFastifyApplication>(platformModule(options), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  nest.useGlobalGuards(
    new TokenGuard({ verifier, dataSource, baseUrl, serviceType: options.serviceType }),
  );
  nest.useGlobalPipes(createValidationPipe());
  nest.useGlobalFilters(filter);
  routesOf(nest);
  const document = (): OpenAPIObject => openApiDocument(nest, options);
  serveOpenApi(nest, document);
  await nest.init();
  await fastify.ready();
  metrics.watchJobs(dataSource);
  return {
    nest,
    handle: (request, response) => fastify.routing(request, response),
    contract: {
      document,
      pathOf: (url) => {
        const path = options.rewriteUrl?.({ url }) ?? url;
        return options.strictPaths ? path : path.replace(/(?<=.)\/$/, '');
      },
    },
  };
}

function createAdapter(options: HttpAppOptions, filter: ErrorFilter): FastifyAdapter {
  const { rewriteUrl, strictPaths = false } = options;
  return new FastifyAdapter({
    bodyLimit: options.bodyLimit ?? ONE_MIB,
    genReqId: newRequestId,
    logger: false,
    trustProxy: true,
    // As long as Node lets an address be: an id of any length is simply one that nothing has.
    routerOptions: { ignoreTrailingSlash: !strictPaths, maxParamLength: 16_384 },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerUnreadable(error, socket, options.envelope, options.requestIdAlias),
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      filter.reply(error, request, reply),
    rewriteUrl: (request: RewrittenRequest) => rewriteUrl?.(request) ?? request.url ?? '/',
    schemaController: { compilersFactory: WITHOUT_SCHEMAS },
  } as never);
}

/** DTOs say what is valid: without these, Fastify loads two compilers of JSON Schema at each start. */
const WITHOUT_SCHEMAS = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

function refuseSchemas(): never {
  throw new Error("A route's shape is its DTO; Fastify's schemas are not used");
}

function askedFor(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}

/** The service's module beside what every service has. */
function platformModule(options: HttpAppOptions): DynamicModule {
  @Module({})
  class PlatformModule {}
  return {
    module: PlatformModule,
    imports: [options.module],
    controllers: [OperationsController],
    providers: [
      { provide: DataSource, useValue: options.dataSource },
      { provide: Metrics, useValue: options.metrics },
    ],
  };
}
