/**
 * Limits bodies in size and time, and parses them as JSON. A body must arrive in time unless its
 * route reads it as a stream, and limits it itself.
 */
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorOf, invalid, type DomainError } from '../errors/domain-error.js';
import { type JsonBounds, excessOf } from './json-bounds.js';
import { hasUnreadBody } from './unread-bodies.js';
import type { JsonCodec } from '../service/tokens.js';

export interface BodyLimits extends JsonBounds {
  /** Maximum bytes of the body; 1 MiB by default. */
  readonly bytes?: number | ((config: never) => number);
  /** Whether the handler reads the body as a stream, and enforces its own time limit. */
  readonly isStream?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyLimits?: BodyLimits;
  }
}

/** Gives a handler body limits of its own. */
export function TakesBody(bodyLimits: BodyLimits): MethodDecorator {
  return RouteConfig({ bodyLimits });
}

class RequestTimeoutError extends errorOf(
  'timeout',
  (seconds: number) => `The body of the request did not arrive within ${seconds} seconds.`,
) {}

/**
 * Call this before adding routes.
 * @param config the service's, with the seconds for a body to arrive
 * @param refuse answers with an error
 */
export function limitBodies(
  fastify: FastifyInstance,
  config: { readonly bodySeconds: number },
  refuse: (error: DomainError, request: FastifyRequest, reply: FastifyReply) => void,
): void {
  const { bodySeconds: seconds } = config;
  fastify.addHook('onRoute', (route) => {
    const bytes = route.config?.bodyLimits?.bytes;
    if (bytes !== undefined)
      route.bodyLimit = typeof bytes === 'number' ? bytes : bytes(config as never);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const { raw, routeOptions } = request;
    if (hasUnreadBody(raw) && routeOptions.config.bodyLimits?.isStream !== true) {
      const end = setTimeout(() => {
        if (raw.complete) return;
        // After the answer, the connection can only be closed.
        if (reply.sent) raw.destroy();
        else refuse(new RequestTimeoutError(seconds), request, reply);
      }, seconds * 1_000);
      reply.raw.once('close', () => clearTimeout(end));
    }
    done();
  });
}

class BodyTooComplexError extends invalid((excess: string) => `Invalid input: ${excess}.`) {}

/**
 * The APIs use JSON; services add other types (an image's bytes). Some clients send a JSON type
 * without a body, as with DELETE.
 */
export function setBodyParsers(fastify: FastifyInstance, json?: JsonCodec): void {
  fastify.removeContentTypeParser(['text/plain', 'application/json']);
  addJsonParser(fastify, 'application/json', json);
}

/** Parses bodies of this media type as JSON. */
export function addJsonParser(fastify: FastifyInstance, mediaType: string, json?: JsonCodec): void {
  const parse = jsonParser(fastify, json);
  fastify.addContentTypeParser(mediaType, { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, body as string, done);
  });
}

type Done = (error: Error | null, value?: unknown) => void;

/**
 * Parses non-empty text within the bounds of the request's route. All keys are kept: `__proto__`
 * becomes an ordinary member.
 * @param json the service's own codec
 */
export function jsonParser(
  fastify: FastifyInstance,
  json?: JsonCodec,
): (request: FastifyRequest, body: string, done: Done) => void {
  const parseJson = fastify.getDefaultJsonParser('ignore', 'ignore');
  return (request, body, done) => {
    const excess = excessOf(body, request.routeOptions.config.bodyLimits);
    const value = excess === undefined && json ? parsedBy(json, body) : undefined;
    if (excess !== undefined) done(new BodyTooComplexError(excess));
    else if (value === undefined) void parseJson(request, body, done);
    else done(null, value);
  };
}

/** @returns undefined for invalid JSON */
function parsedBy(json: JsonCodec, body: string): unknown {
  try {
    return json.parse(body);
  } catch {
    return undefined;
  }
}
