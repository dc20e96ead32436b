import type { FastifyInstance, FastifyRequest } from 'fastify';
import { InvalidInputError } from '../errors/domain-error.js';
import { excessOf } from './json-bounds.js';

class BodyTooComplexError extends InvalidInputError {
  constructor(excess: string) {
    super(`Invalid input: ${excess}.`);
  }
}

/**
 * These APIs speak JSON; a service adds what else it takes (an image's bytes). Clients also name
 * JSON when they send no body, as with DELETE: that is no error.
 */
export function setBodyParsers(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser(['text/plain', 'application/json']);
  addJsonParser(fastify, 'application/json');
}

/** Parses bodies of this media type as JSON. */
export function addJsonParser(fastify: FastifyInstance, mediaType: string): void {
  const parse = jsonParser(fastify);
  fastify.addContentTypeParser(mediaType, { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, body as string, done);
  });
}

type Done = (error: Error | null, value?: unknown) => void;

/**
 * What parses a text that is not empty, within the bounds of the request's route. Keys are kept
 * whatever they are: `__proto__` becomes a member as any other.
 */
export function jsonParser(
  fastify: FastifyInstance,
): (request: FastifyRequest, body: string, done: Done) => void {
  const parseJson = fastify.getDefaultJsonParser('ignore', 'ignore');
  return (request, body, done) => {
    const excess = excessOf(body, request.routeOptions.config.bodyLimits);
    if (excess === undefined) void parseJson(request, body, done);
    else done(new BodyTooComplexError(excess));
  };
}
