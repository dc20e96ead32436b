/**
 * How large a body may be, and how long it may take. All of it arrives within a time, unless its
 * route reads it as a stream and watches it by itself.
 */
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import type { JsonBounds } from './json-bounds.js';
import { hasUnreadBody } from './unread-bodies.js';

export interface BodyLimits extends JsonBounds {
  /** Bytes that the body may have, if not as many as everywhere (1 MiB); a setting may say. */
  readonly bytes?: number | ((config: never) => number);
  /** Whether the handler reads the body as it comes, and ends one that comes too slowly. */
  readonly isStream?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyLimits?: BodyLimits;
  }
}

/** Gives a handler limits of its own, where those of all bodies do not suit it. */
export function TakesBody(bodyLimits: BodyLimits): MethodDecorator {
  return RouteConfig({ bodyLimits });
}

class RequestTimeoutError extends DomainError {
  constructor(seconds: number) {
    super('timeout', `The body of the request did not arrive within ${seconds} seconds.`);
  }
}

/**
 * Call it before there are routes.
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
        // What has been answered already can only be broken off.
        if (reply.sent) raw.destroy();
        else refuse(new RequestTimeoutError(seconds), request, reply);
      }, seconds * 1_000);
      reply.raw.once('close', () => clearTimeout(end));
    }
    done();
  });
}
